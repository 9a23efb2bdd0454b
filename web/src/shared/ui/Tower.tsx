/** The watchtower by the sea of the log-in screen. Decoration, the same in both themes. Source: look/01-login.html. */
export function Tower({ className }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 880 900" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <rect width="880" height="900" fill="#10100F" />
      <rect y="640" width="880" height="260" fill="#0E1718" />
      <g stroke="#1F3A3D" strokeWidth="1.5">
        <path d="M0 640.5H880" stroke="#2B4B4E" />
        <path d="M60 662H260M330 662H400M720 728H880M640 762H700M760 798H880M660 832H800M740 868H860" />
      </g>
      <g transform="translate(90 0)">
        <path d="M640 392L880 338V470Z" fill="#5CC0CC" opacity=".055" />
        <path d="M600 392L-100 226V555Z" fill="#5CC0CC" opacity=".05" />
        <path d="M470 642C520 622 556 618 600 616H680C740 620 800 634 880 642V700H430Z" fill="#171714" />
        <path d="M578 372H668V394H656L680 622H566L590 394H578Z" fill="#26251F" />
        <path d="M640 394H656L680 622H650Z" fill="#1C1B17" />
        <path d="M578 372H668V379H578Z" fill="#37352D" />
        <rect x="611" y="420" width="24" height="34" rx="12" fill="#0F0F0E" />
        <circle cx="623" cy="440" r="7" fill="#5CC0CC" />
        <path d="M612 622V586a11 11 0 0 1 22 0V622Z" fill="#0F0F0E" />
        <path
          stroke="#1E1D18"
          strokeWidth="1.5"
          d="M588 414H602M644 420H658M584 452H604M640 470H664M582 496H616M634 508H668M579 540H606M640 552H672M576 580H602M646 590H675"
        />
      </g>
    </svg>
  );
}
