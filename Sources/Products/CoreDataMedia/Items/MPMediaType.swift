/// What an item is, as a bit mask: kinds are combined by or and tested by and.
///
/// The values are those of Apple's framework.
public struct MPMediaType: OptionSet, Sendable, Hashable, Codable {
    /// The bits.
    public let rawValue: UInt
    /// A mask of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A song.
    public static let music = MPMediaType(rawValue: 1 << 0)
    /// A podcast of sound.
    public static let podcast = MPMediaType(rawValue: 1 << 1)
    /// An audiobook.
    public static let audioBook = MPMediaType(rawValue: 1 << 2)
    /// A lecture.
    public static let audioITunesU = MPMediaType(rawValue: 1 << 3)
    /// Anything that is sound alone.
    public static let anyAudio = MPMediaType(rawValue: 0xff)
    /// A film.
    public static let movie = MPMediaType(rawValue: 1 << 8)
    /// An episode of a television series.
    public static let tvShow = MPMediaType(rawValue: 1 << 9)
    /// A podcast with pictures.
    public static let videoPodcast = MPMediaType(rawValue: 1 << 10)
    /// A music video.
    public static let musicVideo = MPMediaType(rawValue: 1 << 11)
    /// A lecture with pictures.
    public static let videoITunesU = MPMediaType(rawValue: 1 << 12)
    /// A video that was made at home.
    public static let homeVideo = MPMediaType(rawValue: 1 << 13)
    /// Anything that has pictures.
    public static let anyVideo = MPMediaType(rawValue: 0xff00)
    /// Anything.
    public static let any = MPMediaType(rawValue: ~0)
}
