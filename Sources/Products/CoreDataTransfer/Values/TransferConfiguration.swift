import Foundation

/// What holds for all transfers of a session.
public struct TransferConfiguration: Sendable {
    /// The most transfers with one host (and port) at a time; others wait, those of a higher priority less long.
    public var maximumTransfersPerHost = 3
    /// The most transfers at a time.
    public var maximumTransfers = 16
    /// The seconds within which a connection must be made, TLS included.
    public var connectTimeout: TimeInterval = 15
    /// The seconds that a transfer may take altogether once it has begun, with all redirects; nil for no limit. A server that
    /// sends a byte now and then is stopped by this alone: how long a transfer may stand still is the request's
    /// `timeoutInterval`.
    public var transferTimeout: TimeInterval?
    /// The most redirects that one request follows; with 0 they are responses, which count as success where the options
    /// accept their status.
    public var maximumRedirects = 20
    /// The addresses that transfers may connect to.
    public var addresses = AddressPolicy.all
    /// Whether cookies are kept and sent, in memory, as long as the session lives.
    public var keepsCookies = true
    /// The `User-Agent` field of requests that have none.
    public var userAgent = "OpenCoreData"
    /// A file of certificates (PEM) to trust in place of the system's.
    public var trustedCertificates: URL?
    /// Whom alone transfers are made with, and who makes them; nil where certificates are checked as usual.
    package var pinnedKeys: PinnedKeys?
    /// Called with true when the first transfer begins to wait or run, and with false when the last has ended, on the
    /// session's thread.
    public var onActivityChange: (@Sendable (Bool) -> Void)?

    /// Makes the default configuration.
    public init() {}
}

/// What holds for one transfer.
public struct TransferOptions: Sendable {
    /// The responses that count as success.
    public var accepts = TransferAcceptance.success
    /// Which of the waiting transfers with one host comes first.
    public var priority = TransferPriority.normal
    /// The name and password for a server that asks for them by Basic, Digest or another scheme; they are sent to the
    /// request's origin alone.
    public var credential: TransferCredential?
    /// The most bytes of a body, after decoding; nil for no limit.
    public var maximumBodySize: Int? = 1 << 30
    /// Called with what has been sent and received, at most ten times a second and once at the end, on the session's thread.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?

    /// Makes the default options.
    public init() {}
}

/// Which of several waiting transfers comes first: those of one priority come in the order in which they were asked for.
public enum TransferPriority: Int, Sendable, CaseIterable, Comparable {
    /// After all others.
    case low
    /// The priority of transfers whose options say nothing.
    case normal
    /// Before all others.
    case high

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A name and a password.
public struct TransferCredential: Sendable {
    /// The name.
    public var user: String
    /// The password, which no error and no message shows.
    public var password: String

    /// Makes a credential.
    public init(user: String, password: String) {
        (self.user, self.password) = (user, password)
    }
}

/// How far a transfer is, in bytes as they go over the network.
public struct TransferProgress: Sendable, Equatable {
    /// The bytes of the body that have been sent.
    public var sent: Int64
    /// The size of the body to send; nil if it is not known.
    public var bytesToSend: Int64?
    /// The bytes of the body that have come.
    public var received: Int64
    /// The size of the body to receive; nil if the server does not say.
    public var bytesToReceive: Int64?

    /// The finished part of what is known to be sent and received, from 0 to 1; nil if nothing is known.
    public var fraction: Double? {
        let whole = (bytesToSend ?? 0) + (bytesToReceive ?? 0)
        guard whole > 0 else { return nil }
        let done = (bytesToSend == nil ? 0 : sent) + (bytesToReceive == nil ? 0 : received)
        return min(1, Double(done) / Double(whole))
    }
}

/// Which responses count as success.
public struct TransferAcceptance: Sendable {
    /// The statuses that do.
    public var statuses: ClosedRange<Int>
    /// The types of content that do, such as `application/json` or `image/*`; empty for all.
    public var contentTypes: [String]

    /// Makes a rule: by default statuses from 200 to 299, with any content.
    public init(statuses: ClosedRange<Int> = 200...299, contentTypes: [String] = []) {
        (self.statuses, self.contentTypes) = (statuses, contentTypes)
    }

    /// Any content with a status from 200 to 299.
    public static let success = TransferAcceptance()
    /// Any response.
    public static let all = TransferAcceptance(statuses: 0...999)
    /// Pictures.
    public static let images = TransferAcceptance(contentTypes: ["image/*"])

    func allows(contentType: String?) -> Bool {
        guard !contentTypes.isEmpty else { return true }
        let type = (contentType ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return contentTypes.contains { pattern in
            let pattern = pattern.lowercased()
            return pattern.hasSuffix("/*") ? type.hasPrefix(pattern.dropLast()) : type == pattern
        }
    }
}
