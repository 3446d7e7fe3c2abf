import CoreDataSync
import CoreDataSyncing

/// The items of one device: what it has written and not removed. Each change of a list raises its counter by one, so that of two states of
/// a list the newer is known, wherever they come from.
struct ItemList: Equatable, Sendable {
    /// A change of a list.
    enum Change: Equatable, Sendable {
        case added(String, size: Int)
        case removed(String)
    }

    /// Bounds of what another device may list.
    enum Limits {
        static let items = 100_000
        static let former = 64
        /// Devices that one folder keeps lists of.
        static let owners = 1_000
        /// Counters beyond it are no honest ones.
        static let counter: UInt64 = 1 << 62
        static let itemSize = 1 << 31
    }

    let owner: OwnerID
    private(set) var counter: UInt64
    private(set) var sizes: [String: Int]
    /// The owners that the device was before: after a copy or a backup of its folder was put back.
    let former: Set<OwnerID>
    private(set) var digest: UInt64

    init(_ owner: OwnerID, counter: UInt64 = 0, sizes: [String: Int] = [:], former: Set<OwnerID> = []) {
        (self.owner, self.counter, self.sizes, self.former) = (owner, counter, sizes, former)
        digest = sizes.keys.reduce(0) { $0 ^ SyncChecksum.value(of: $1.utf8) }
    }

    /// What says of a list, in a few bytes, which state of it is meant.
    var state: ListState { ListState(owner: owner, counter: counter, digest: digest) }

    /// Applies a change.
    ///
    /// - Returns: Whether the list has a name that it had not, or lacks one that it had.
    @discardableResult mutating func apply(_ change: Change) -> Bool {
        counter += 1
        let (name, isOther) =
            switch change {
            case .added(let name, let size): (name, sizes.updateValue(size, forKey: name) == nil)
            case .removed(let name): (name, sizes.removeValue(forKey: name) != nil)
            }
        if isOther { digest ^= SyncChecksum.value(of: name.utf8) }
        return isOther
    }
}

/// Which state of which list.
struct ListState: Hashable, Sendable {
    let owner: OwnerID
    let counter: UInt64
    let digest: UInt64
}

/// The random identity of a folder of items.
struct OwnerID: Hashable, Sendable, CustomStringConvertible {
    let value: UInt64

    init(_ value: UInt64) { self.value = value }

    init?(_ text: some StringProtocol) {
        guard let peer = PeerID(String(text)) else { return nil }
        value = peer.rawValue
    }

    static func random() -> OwnerID { OwnerID(.random(in: 1 ... .max)) }

    /// 16 hexadecimal digits.
    var description: String { PeerID(value).description }
}

/// The names that items may have, which come from other machines and become names of files.
enum ItemName {
    private static let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-_.".utf8)

    /// Lower-case letters, digits, `-`, `_` and `.`, not at the beginning; 200 bytes at most; the ending of items at the end.
    static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        return bytes.count <= 200 && name.hasSuffix(".ocsync") && bytes.first != UInt8(ascii: ".")
            && bytes.allSatisfy(allowed.contains)
    }
}
