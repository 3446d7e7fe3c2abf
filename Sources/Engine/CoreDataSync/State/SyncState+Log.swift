/// The log: transactions with what they build on, until all members have them.
extension SyncState {
    /// How many transactions are looked up one by one; for more the log is read.
    private static let greatestLookUpCount: UInt64 = 50_000

    private static func logKey(_ id: TransactionID, _ number: Int) -> [UInt8] {
        var key = [StateKey.log]
        StateKey.append(UInt64(number), count: 2, to: &key)
        StateKey.append(id.sequence, count: 6, to: &key)
        return key
    }

    /// Keeps a transaction with all that it builds on.
    func log(_ transaction: SyncTransaction, _ dependencies: VersionVector) throws {
        let key = Self.logKey(transaction.id, meta.peers.number(of: transaction.id.author))
        var writer = ByteWriter(peers: meta.peers)
        let isOwn = transaction.id.author == meta.identity
        writer.write(isOwn ? dependencies : VersionVector())
        var context = TransactionContext()
        writer.write(transaction, &context)
        meta.peers = writer.peers
        try countLogged(transaction, key)
        set(writer.bytes, for: key)
    }

    func logged(_ id: TransactionID) throws -> (transaction: SyncTransaction, dependencies: VersionVector)? {
        guard let number = meta.peers.known(id.author), let bytes = try value(Self.logKey(id, number)) else {
            return nil
        }
        var reader = ByteReader(bytes, peers: meta.peers.peers)
        let dependencies = try reader.vector()
        var context = TransactionContext()
        return (try reader.transaction(&context), dependencies)
    }

    func unlog(_ id: TransactionID) throws {
        guard let number = meta.peers.known(id.author) else { return }
        let key = Self.logKey(id, number)
        try countUnlogged(id, key)
        set(nil, for: key)
    }

    /// The transactions of an author that the log may have, from one sequence to another, in order.
    ///
    /// Sequences have gaps where origins were carried. Of a long range the log itself says what it has, so that a gap costs nothing.
    func loggedIDs(of author: PeerID, from first: UInt64, through last: UInt64) throws -> [TransactionID] {
        guard first <= last, let number = meta.peers.known(author) else { return [] }
        if last - first < Self.greatestLookUpCount { return (first...last).map { TransactionID(author, $0) } }
        var prefix = [StateKey.log]
        StateKey.append(UInt64(number), count: 2, to: &prefix)
        return try keys(withPrefix: prefix)
            .map { TransactionID(author, StateKey.number($0[prefix.count...])) }
            .filter { $0.sequence >= first && $0.sequence <= last }
    }

    /// What the log may forget: what all members have.
    ///
    /// A peer all of whose other members are retired keeps what is younger than the time after which silent peers are retired: if they
    /// come back, they get what they lack from its log alone.
    ///
    /// - Parameter silenceLimit: That time, in milliseconds.
    func forgettable(at now: UInt64, silenceLimit: UInt64) throws -> VersionVector {
        let stable = meta.stable
        guard meta.isLeftAlone else { return stable }
        var old = meta.floor
        for last in stable.sorted {
            let first = meta.floor[last.author] + 1
            for id in try loggedIDs(of: last.author, from: first, through: last.sequence) {
                guard let time = try logged(id)?.transaction.time.milliseconds, time < now, now - time > silenceLimit
                else { break }
                old.include(id)
            }
        }
        return old
    }

    /// The transactions of the log that a vector does not cover, of each author in order.
    func logged(beyond vector: VersionVector) throws -> [SyncTransaction] {
        var found: [SyncTransaction] = []
        for last in meta.applied.sorted {
            for id in try loggedIDs(of: last.author, from: vector[last.author] + 1, through: last.sequence) {
                if let entry = try logged(id) { found.append(entry.transaction) }
            }
        }
        return found
    }
}
