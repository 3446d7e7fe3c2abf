extension UTType {
    /// A picture of any kind.
    public static let image = UTType(known: "public.image")
    /// JPEG.
    public static let jpeg = UTType(known: "public.jpeg")
    /// PNG.
    public static let png = UTType(known: "public.png")
    /// GIF.
    public static let gif = UTType(known: "com.compuserve.gif")
    /// TIFF.
    public static let tiff = UTType(known: "public.tiff")
    /// BMP.
    public static let bmp = UTType(known: "com.microsoft.bmp")
    /// An icon of Windows.
    public static let ico = UTType(known: "com.microsoft.ico")
    /// An icon of Apple's systems.
    public static let icns = UTType(known: "com.apple.icns")
    /// HEIF with any coding.
    public static let heif = UTType(known: "public.heif")
    /// HEIF coded as HEVC.
    public static let heic = UTType(known: "public.heic")
    /// AVIF. Not among Apple's constants.
    public static let avif = UTType(known: "public.avif")
    /// WebP.
    public static let webP = UTType(known: "org.webmproject.webp")
    /// JPEG XL.
    public static let jpegXL = UTType(known: "public.jpeg-xl")
    /// SVG.
    public static let svg = UTType(known: "public.svg-image")
    /// What a camera's sensor saw.
    public static let rawImage = UTType(known: "public.camera-raw-image")
    /// DNG.
    public static let dng = UTType(known: "com.adobe.raw-image")
    /// Sound or film.
    public static let audiovisualContent = UTType(known: "public.audiovisual-content")
    /// Sound of any kind.
    public static let audio = UTType(known: "public.audio")
    /// MP3.
    public static let mp3 = UTType(known: "public.mp3")
    /// MPEG-4 sound by its brand. Not among Apple's constants.
    public static let m4a = UTType(known: "com.apple.m4a-audio")
    /// MPEG-4 with sound alone.
    public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
    /// Protected MPEG-4 sound.
    public static let appleProtectedMPEG4Audio = UTType(known: "com.apple.protected-mpeg-4-audio")
    /// AAC. Not among Apple's constants.
    public static let aac = UTType(known: "public.aac-audio")
    /// WAVE.
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
    /// AIFF.
    public static let aiff = UTType(known: "public.aiff-audio")
    /// MIDI.
    public static let midi = UTType(known: "public.midi-audio")
    /// FLAC. Not among Apple's constants.
    public static let flac = UTType(known: "org.xiph.flac")
    /// Ogg with sound alone. Not among Apple's constants.
    public static let oggAudio = UTType(known: "org.xiph.ogg-audio")
    /// Opus in Ogg. Not among Apple's constants.
    public static let opus = UTType(known: "org.xiph.opus")
    /// WebM with sound alone. Not among Apple's constants.
    public static let webMAudio = UTType(known: "org.webmproject.webm-audio")
    /// Matroska with sound alone. Not among Apple's constants.
    public static let matroskaAudio = UTType(known: "org.matroska.mka")
    /// Film, with sound or without.
    public static let movie = UTType(known: "public.movie")
    /// Film without sound.
    public static let video = UTType(known: "public.video")
    /// MPEG-4.
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    /// MPEG-4 film by its brand. Not among Apple's constants.
    public static let m4v = UTType(known: "com.apple.m4v-video")
    /// QuickTime.
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    /// MPEG.
    public static let mpeg = UTType(known: "public.mpeg")
    /// MPEG-2.
    public static let mpeg2Video = UTType(known: "public.mpeg-2-video")
    /// A transport stream of MPEG-2.
    public static let mpeg2TransportStream = UTType(known: "public.mpeg-2-transport-stream")
    /// AVI.
    public static let avi = UTType(known: "public.avi")
    /// 3GPP. Not among Apple's constants.
    public static let threeGPP = UTType(known: "public.3gpp")
    /// WebM. Not among Apple's constants.
    public static let webM = UTType(known: "org.webmproject.webm")
    /// Matroska. Not among Apple's constants.
    public static let matroska = UTType(known: "org.matroska.mkv")
    /// Ogg with pictures. Not among Apple's constants.
    public static let oggVideo = UTType(known: "org.xiph.ogg-video")
    /// A list of sounds or films.
    public static let playlist = UTType(known: "public.playlist")
    /// A list of sounds or films in M3U.
    public static let m3uPlaylist = UTType(known: "public.m3u-playlist")
}
