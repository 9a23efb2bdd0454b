export { ConferenceMediaModal, ConferenceMediaView } from './components/ConferenceMediaView';
export { PreviewModal } from './components/PreviewModal';
