import CoreDataStore
import CoreDataSync

/// The last greeting of a peer, as the side table keeps it: when it was read, and its frame.
struct KeptGreeting {
    let time: UInt64
    let greeting: Greeting

    static func key(_ sender: PeerID) -> [UInt8] { [AdapterKey.greeting] + sender.description.utf8 }

    static func bytes(_ frame: [UInt8], at time: UInt64) -> [UInt8] { SideNumber.bytes(time, 8) + frame }

    /// The greetings of all peers.
    static func all(_ side: any SideTableKeeping) throws -> [PeerID: KeptGreeting] {
        var all: [PeerID: KeptGreeting] = [:]
        for entry in try side.sideEntries(withPrefix: [AdapterKey.greeting]) {
            guard let bytes = entry.value, bytes.count > 8,
                case .greeting(let greeting)? = try? SyncFrame.decode(Array(bytes[8...]))
            else { continue }
            all[greeting.sender] = KeptGreeting(time: SideNumber.number(bytes[..<8]), greeting: greeting)
        }
        return all
    }

    /// What all peers have: the members, and those who greet and belong to others who began by themselves.
    static func stable(_ transaction: StoreTransaction) throws -> VersionVector {
        guard let meta = transaction.engine?.meta else { return VersionVector() }
        var stable = meta.stable
        for greeting in try strangers(transaction) { stable.formIntersection(greeting.applied) }
        return stable
    }

    /// The greetings of peers that began by themselves, and of which this store has nothing yet.
    static func strangers(_ transaction: StoreTransaction) throws -> [Greeting] {
        guard let meta = transaction.engine?.meta else { return [] }
        return try all(transaction.side).values.map(\.greeting).filter {
            meta.members[$0.sender] == nil && meta.retired[$0.sender] == nil && $0.sender != meta.identity
                && !meta.formerIdentities.contains($0.sender) && !$0.applied.isEmpty
        }
    }
}
