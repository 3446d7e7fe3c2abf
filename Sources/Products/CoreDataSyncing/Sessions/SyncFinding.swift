/// Something that is wrong with a store, its transport or its device, as ``SyncSession/examine(repairing:)`` finds it.
public struct SyncFinding: Sendable, Hashable, Codable {
    /// The kinds of findings.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// The state of sync cannot be read.
        case damagedState
        /// A row differs from what sync knows of its object, and the history has no save that explains it.
        case differentRow
        /// A row is unknown to sync, and the history has no save that explains it.
        case unknownRow
        /// The row of an object is gone, and the history has no save that explains it.
        case missingRow
        /// The transport cannot be used.
        case unreachableTransport
        /// An item of the transport cannot be read.
        case unreadableItem
        /// An item of the transport belongs to no peer that is known.
        case unknownPeer
        /// A peer was not heard of for long, or never.
        case silentPeer
        /// The clock of this device, or of a peer, is off.
        case wrongClock
        /// The file beside the store by which copies and older states are noticed is missing, or does not fit.
        case instanceMark
        /// Others than its owner may read a file of keys.
        case openKeys
        /// There is hardly any room on a disk.
        case fullDisk
        /// The last exchange failed.
        case failedExchange
        /// The store waits for a peer that gives it the whole state.
        case waiting
    }

    /// What kind of a finding it is.
    public let kind: Kind
    /// What it is about: an object, an item, a peer, a file.
    public let subject: String
    /// What is wrong, as a sentence.
    public let message: String
    /// What to do about it, as a sentence.
    public let cure: String

    init(_ kind: Kind, _ subject: String, _ message: String, cure: String) {
        self.kind = kind
        self.subject = subject
        self.message = message
        self.cure = cure
    }
}

/// What an examination found.
public struct SyncExamination: Sendable, Hashable, Codable {
    /// The findings that are listed, at most a hundred of a kind.
    public internal(set) var findings: [SyncFinding] = []
    /// How many there are of each kind.
    public internal(set) var counts: [String: Int] = [:]
    /// How many rows that the history does not explain were captured.
    public internal(set) var capturedRows = 0

    /// Whether nothing is wrong.
    public var isSound: Bool { counts.isEmpty }

    private static let greatestCount = 100

    mutating func add(_ finding: SyncFinding) {
        counts[finding.kind.rawValue, default: 0] += 1
        if counts[finding.kind.rawValue, default: 0] <= Self.greatestCount { findings.append(finding) }
    }

    mutating func add(_ findings: [SyncFinding]) { for finding in findings { add(finding) } }
}
