/** Of what hands draw while they draw it; alone, so that the client's page knows it without the code that reads it. */
export const DRAW_TOPIC = 'atalaya.draw';
