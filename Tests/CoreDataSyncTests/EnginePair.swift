import CoreDataSync

/// Two engines in memory whose frames a test delivers.
struct EnginePair {
    var engines: [SyncEngine] = []
    var states: [MemoryStorage] = [MemoryStorage(), MemoryStorage()]
    var outboxes: [[[UInt8]]] = [[], []]
    var rows: [[ObjectIdentity: SyncRow]] = [[:], [:]]
    var reports: [[SyncReport]] = [[], []]
    var assigned: [Int: ObjectIdentity] = [:]
    var now: UInt64 = 1_700_000_000_000

    init(_ configurations: [SyncConfiguration]) throws {
        for index in 0...1 {
            let opening = SyncEngine.Opening(instance: [UInt8(index)], spare: PeerID(UInt64(100 + index)))
            let beginning: SyncEngine.Beginning = index == 0 ? .founding : .joining
            let made = try SyncEngine.make(
                configurations[index], beginning, identity: PeerID(UInt64(1 + index)), opening: opening, at: now)
            engines.append(made.0)
            perform(made.1, index)
        }
        try exchange()
    }

    mutating func perform(_ effects: [SyncEffect], _ index: Int) {
        for effect in effects {
            switch effect {
            case .commit(let plan):
                states[index].apply(plan.state)
                for change in plan.rows { apply(change, index) }
            case .send(let bytes, _): outboxes[index].append(bytes)
            case .report(let report): reports[index].append(report)
            case .assigned(let numbers): assigned = numbers
            case .wake, .transactions, .give, .take: break
            }
        }
    }

    private mutating func apply(_ change: RowChange, _ index: Int) {
        switch change {
        case .insert(let row): rows[index][row.id] = row
        case .update(let row):
            rows[index][row.id]?.values.merge(row.values) { _, new in new }
            rows[index][row.id]?.links.merge(row.links) { _, new in new }
        case .delete(let object, _, _), .evict(let object, _): rows[index][object] = nil
        }
    }

    mutating func handle(_ event: SyncEvent, _ index: Int) throws {
        var engine = engines[index]
        perform(try engine.handle(event, states[index]), index)
        engines[index] = engine
    }

    /// Ends an engine and opens a state of its store again, with a sequence that was noted outside of it.
    mutating func reopen(
        _ index: Int, _ state: MemoryStorage, _ rows: [ObjectIdentity: SyncRow], highWater: UInt64? = nil
    ) throws {
        states[index] = state
        self.rows[index] = rows
        outboxes[index] = []
        let opening = SyncEngine.Opening(instance: [UInt8(index)], highWater: highWater, spare: PeerID(now + 7))
        let opened = try SyncEngine.open(engines[index].configuration, state, opening, at: now)
        engines[index] = opened.0
        perform(opened.1, index)
    }

    mutating func save(_ index: Int, _ changes: LocalChange...) throws {
        now += 1_000
        try handle(.saved(changes, at: now), index)
        rows[index] = try engines[index].rows(states[index])
    }

    /// Lets both greet once, and delivers what that leads to.
    mutating func greet() throws {
        now += 60_000
        for index in 0...1 { try handle(.tick(at: now, spare: PeerID(now)), index) }
        for _ in 0..<3 {
            for index in 0...1 {
                let frames = outboxes[index]
                outboxes[index] = []
                for frame in frames { try handle(.received(frame, at: now), 1 - index) }
            }
        }
    }

    mutating func exchange() throws {
        for round in 0..<8 {
            now += 60_000
            for index in 0...1 where round % 2 == 0 { try handle(.tick(at: now, spare: PeerID(now)), index) }
            for index in 0...1 {
                let frames = outboxes[index]
                outboxes[index] = []
                for frame in frames { try handle(.received(frame, at: now), 1 - index) }
            }
        }
    }
}
