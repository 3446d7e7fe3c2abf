import Foundation

/// What decoding one picture may cost.
public struct ThumbnailLimits: Sendable, Hashable {
    /// The most pixels of a picture that is decoded, by its header, before anything is decoded; 268 million by default.
    public var pixels = 1 << 28
    /// The most bytes of a picture that is read; 512 MiB by default.
    public var bytes = 512 << 20
    /// The seconds after which decoding is ended; also those of processor time.
    public var seconds = 20.0
    /// The bytes of address space of the program that decodes; much of it is never used.
    public var memory = 2 << 30

    /// Makes the usual limits.
    public init() {}
}
