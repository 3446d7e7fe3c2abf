import Foundation

/// A stream that a peer has opened, for one reader, who may be on any thread.
public struct ReceivedStream: @unchecked Sendable {
    /// The stream, not yet open. Only one thread may use it at a time.
    public let input: InputStream
}
