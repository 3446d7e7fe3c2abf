import Foundation

/// A picture, as its bytes came: it is not decoded.
public struct Picture: Sendable, Equatable {
    /// Where it is from.
    public let url: URL
    /// The bytes.
    public let data: Data
    /// The format and the size in pixels.
    public let header: PictureHeader
}

/// What holds for all pictures of a loader.
public struct PictureConfiguration: Sendable {
    /// The most bytes of a picture.
    public var maximumBytes = 20 << 20
    /// The most pixels of a picture: decoded it needs four bytes for each.
    public var maximumPixels = 64_000_000
    /// The seconds for which a picture is not asked for again, where its server does not say.
    public var freshness: TimeInterval = 300
    /// The seconds for which a failure is the answer without another request.
    public var failureLifetime: TimeInterval = 30
    /// Which of the waiting transfers of the session come first.
    public var priority = TransferPriority.normal
    /// The present time.
    public var now: @Sendable () -> Date = { Date() }

    /// Makes the default configuration.
    public init() {}
}
