import Foundation

/// An error of an exchange, as the status shows it.
public struct SyncFailure: Sendable, Hashable, Codable {
    /// When it happened.
    public let date: Date
    /// What went wrong.
    public let message: String
    /// What to do about it; nil if that is not known.
    public let cure: String?

    init(_ error: any Error, at now: UInt64) {
        date = Date(syncMilliseconds: now)
        let known = error as NSError
        message = (error as? SyncError)?.description ?? known.localizedDescription
        cure = (error as? SyncError)?.cure ?? known.localizedRecoverySuggestion
    }
}
