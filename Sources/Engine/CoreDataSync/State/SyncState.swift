/// A store's state of sync during one event: what was read, and what is to be written.
///
/// Invariants:
/// 1. What a method returns has all changes of the event so far; the storage has none of them.
/// 2. A link is in the table of links if and only if it is in the table of backlinks.
/// 3. A link without tags and an object without a record are in no table.
package final class SyncState {
    let storage: any SyncStorage
    let schema: SyncSchema
    var meta: SyncMeta
    /// The records that were read or set, without those of the object that was used last while they are changed.
    private var objects: [ObjectIdentity: ObjectRecord?] = [:]
    /// The object that was used last, with its record: most of what happens to an object happens at once.
    private var recent: (object: ObjectIdentity, record: ObjectRecord?)?
    /// Whether the last object's record is newer than the table's, which has none of it then.
    private var isRecentChanged = false
    private var outgoing: [LinkEnd: [ObjectIdentity: [LinkTag]]] = [:]
    private var incoming: [LinkEnd: Set<ObjectIdentity>] = [:]
    /// The links that changed, by each of their ends: an end is read as a whole only when all of it is needed, since it may have many links.
    private var changedTargets: [LinkEnd: [ObjectIdentity: [LinkTag]]] = [:]
    private var changedSources: [LinkEnd: [ObjectIdentity: Bool]] = [:]
    private var claims: [[UInt8]: Set<ObjectIdentity>] = [:]
    private var settledChanges: Set<ObjectIdentity> = []
    private var changedClaims: [[UInt8]: Bool] = [:]
    private var others: [[UInt8]: [UInt8]?] = [:]
    /// How the event changes how often chunks of large values are named.
    var chunkUses = ChunkUses()
    /// The keys of the log's transactions that name chunks; nil until they are asked for.
    var chunkedLog: Set<[UInt8]>?
    /// What rows show instead of absent values, as the event changes it: nil for a value that is there.
    var changedAbsent: [ObjectIdentity: [SchemaID: SyncValue?]] = [:]
    /// Whether the storage has absent values; nil until it is asked.
    var hasStoredAbsent: Bool?
    /// Whether objects and links of the storage are replaced by those of this state.
    private(set) var isReplaced = false

    struct LinkEnd: Hashable {
        let relationship: SchemaID
        let object: ObjectIdentity
    }

    init(_ storage: any SyncStorage, _ schema: SyncSchema, _ meta: SyncMeta) {
        self.storage = storage
        self.schema = schema
        self.meta = meta
    }

    // MARK: Objects

    func record(_ object: ObjectIdentity) throws -> ObjectRecord? {
        if let recent, recent.object == object { return recent.record }
        settle()
        let record = try find(object)
        recent = (object, record)
        return record
    }

    private func find(_ object: ObjectIdentity) throws -> ObjectRecord? {
        if let known = objects[object] { return known }
        guard !isReplaced, let key = knownKey(object), let bytes = try storage.value(for: [StateKey.object] + key)
        else {
            objects[object] = .some(nil)
            return nil
        }
        return try read(object, bytes)
    }

    /// Writes the record of the last object to the table.
    private func settle() {
        guard isRecentChanged, let recent else { return }
        objects[recent.object] = .some(recent.record)
        settledChanges.insert(recent.object)
        isRecentChanged = false
    }

    /// The objects whose records were changed.
    var changedObjects: Set<ObjectIdentity> {
        settle()
        return settledChanges
    }

    /// Reads the entry of an object that was not read yet.
    private func read(_ object: ObjectIdentity, _ bytes: [UInt8]) throws -> ObjectRecord {
        var reader = ByteReader(bytes, peers: meta.peers.peers)
        var record = try reader.record()
        record.derived = try reader.derived()
        objects[object] = record
        chunkUses.note(record, of: object)
        return record
    }

    /// The record of an entry without what follows from others.
    func record(of bytes: [UInt8]) throws -> ObjectRecord {
        var reader = ByteReader(bytes, peers: meta.peers.peers)
        return try reader.record()
    }

    /// Reads the first objects whose keys come after another, at most so many.
    func readObjects(after key: [UInt8]?, atMost count: Int) throws -> [(key: [UInt8], object: ObjectIdentity)] {
        settle()
        return try storage.entries(withPrefix: [StateKey.object], after: key, atMost: count).map { entry in
            let object = try object(entry.key[1...])
            if objects[object] == nil { _ = try read(object, entry.value ?? []) }
            return (entry.key, object)
        }
    }

    func set(_ record: ObjectRecord?, for object: ObjectIdentity) {
        if recent?.object != object { settle() }
        recent = (object, record)
        markRecentChanged()
    }

    /// Changes the record of an object in its place: a second reference to it would have all of its values copied.
    func update(_ object: ObjectIdentity, _ body: (inout ObjectRecord) -> Void) throws {
        guard var record = try record(object) else { return }
        markRecentChanged()
        recent = nil
        body(&record)
        recent = (object, record)
    }

    private func markRecentChanged() {
        guard !isRecentChanged, let recent else { return }
        isRecentChanged = true
        objects[recent.object] = .some(nil)
    }

    /// Whether an object without a record was deleted and forgotten, rather than not yet known.
    func isForgotten(_ object: ObjectIdentity) throws -> Bool {
        try record(object) == nil && meta.applied.covers(object.creation)
    }

    /// All objects with records, by identity.
    func allObjects() throws -> [ObjectIdentity] {
        settle()
        var found = Set(objects.compactMap { $1 == nil ? nil : $0 })
        if !isReplaced {
            for entry in try storage.entries(withPrefix: [StateKey.object]) {
                let object = try object(entry.key[1...])
                if objects[object] == nil { found.insert(object) }
            }
        }
        return found.sorted()
    }

    // MARK: Links

    /// The targets to which an object is linked, with the tags of the links.
    func targets(of source: ObjectIdentity, _ relationship: SchemaID) throws -> [ObjectIdentity: [LinkTag]] {
        let end = LinkEnd(relationship: relationship, object: source)
        if let known = outgoing[end] { return known }
        var found: [ObjectIdentity: [LinkTag]] = [:]
        if !isReplaced, let prefix = linkPrefix(StateKey.link, end) {
            for entry in try storage.entries(withPrefix: prefix) {
                var reader = ByteReader(entry.value ?? [], peers: meta.peers.peers)
                found[try object(entry.key.suffix(StateKey.objectSize))] = try reader.tags()
            }
        }
        for (target, tags) in changedTargets[end] ?? [:] { found[target] = tags.isEmpty ? nil : tags }
        outgoing[end] = found
        return found
    }

    /// The sources from which links lead to an object.
    func sources(of target: ObjectIdentity, _ relationship: SchemaID) throws -> Set<ObjectIdentity> {
        let end = LinkEnd(relationship: relationship, object: target)
        if let known = incoming[end] { return known }
        var found: Set<ObjectIdentity> = []
        if !isReplaced, let prefix = linkPrefix(StateKey.backlink, end) {
            for entry in try storage.entries(withPrefix: prefix) {
                found.insert(try object(entry.key.suffix(StateKey.objectSize)))
            }
        }
        for (source, isLinked) in changedSources[end] ?? [:] {
            if isLinked { found.insert(source) } else { found.remove(source) }
        }
        incoming[end] = found
        return found
    }

    func tags(_ key: LinkKey) throws -> [LinkTag] {
        let end = LinkEnd(relationship: key.relationship, object: key.source)
        if let known = outgoing[end] { return known[key.target] ?? [] }
        if let changed = changedTargets[end]?[key.target] { return changed }
        guard !isReplaced, let prefix = linkPrefix(StateKey.link, end), let target = knownKey(key.target),
            let bytes = try storage.value(for: prefix + target)
        else { return [] }
        var reader = ByteReader(bytes, peers: meta.peers.peers)
        return try reader.tags()
    }

    func set(_ tags: [LinkTag], for key: LinkKey) {
        let source = LinkEnd(relationship: key.relationship, object: key.source)
        let target = LinkEnd(relationship: key.relationship, object: key.target)
        outgoing[source]?[key.target] = tags.isEmpty ? nil : tags
        if tags.isEmpty { incoming[target]?.remove(key.source) } else { incoming[target]?.insert(key.source) }
        changedTargets[source, default: [:]][key.target] = tags
        changedSources[target, default: [:]][key.source] = !tags.isEmpty
    }

    private var changedLinks: [(key: LinkKey, tags: [LinkTag])] {
        changedTargets.flatMap { end, targets in
            targets.map { (LinkKey(relationship: end.relationship, source: end.object, target: $0.key), $0.value) }
        }
    }

    // MARK: Unique values

    /// The objects that have an entry of the index of unique values.
    func claimants(_ key: [UInt8]) throws -> Set<ObjectIdentity> {
        if let known = claims[key] { return known }
        var found: Set<ObjectIdentity> = []
        if !isReplaced {
            for entry in try storage.entries(withPrefix: [StateKey.unique] + key)
            where entry.key.count == 1 + key.count + StateKey.objectSize {
                found.insert(try object(entry.key.suffix(StateKey.objectSize)))
            }
        }
        claims[key] = found
        return found
    }

    func setClaim(_ key: [UInt8], of object: ObjectIdentity, to isClaimed: Bool) throws {
        _ = try claimants(key)
        if isClaimed { claims[key]?.insert(object) } else { claims[key]?.remove(object) }
        changedClaims[[StateKey.unique] + key + self.key(object)] = isClaimed
    }

    // MARK: Other entries

    func value(_ key: [UInt8]) throws -> [UInt8]? {
        if let known = others[key] { return known }
        return try storage.value(for: key)
    }

    /// The keys of other entries that begin with a prefix, sorted.
    func keys(withPrefix prefix: [UInt8]) throws -> [[UInt8]] {
        var found = Set(try storage.entries(withPrefix: prefix).map(\.key))
        for (key, value) in others where key.starts(with: prefix) {
            if value == nil { found.remove(key) } else { found.insert(key) }
        }
        return found.sorted { $0.lexicographicallyPrecedes($1) }
    }

    func set(_ value: [UInt8]?, for key: [UInt8]) { others[key] = .some(value) }

    /// The keys of other entries that were changed and begin with a prefix.
    func changedKeys(withPrefix prefix: [UInt8]) -> [[UInt8]] { others.keys.filter { $0.starts(with: prefix) } }

    /// Whether there is something to be written.
    var isChanged: Bool {
        !changedObjects.isEmpty || !changedTargets.isEmpty || !changedClaims.isEmpty || !others.isEmpty
    }

    /// Takes away all objects, links and claims; what is set from then on is all that there is.
    func replaceAll() {
        isReplaced = true
        objects = [:]
        recent = nil
        isRecentChanged = false
        outgoing = [:]
        incoming = [:]
        claims = [:]
        settledChanges = []
        changedTargets = [:]
        changedSources = [:]
        changedClaims = [:]
        chunkUses.forgetRecords()
    }
}

extension SyncState {
    /// The changes of the storage, by key.
    func changes(at now: UInt64) throws -> [StateEntry] {
        try writeChunkUses(at: now)
        var values: [[UInt8]: [UInt8]?] = others
        if isReplaced {
            for table in [StateKey.object, StateKey.link, StateKey.backlink, StateKey.unique] {
                for entry in try storage.entries(withPrefix: [table]) { values[entry.key] = .some(nil) }
            }
        }
        for object in changedObjects.sorted() {
            values[[StateKey.object] + key(object)] = .some(try record(object).map { encoded($0) })
        }
        for (link, tags) in changedLinks {
            let forward = linkPrefix(StateKey.link, link.relationship, link.source) + key(link.target)
            let backward = linkPrefix(StateKey.backlink, link.relationship, link.target) + key(link.source)
            var writer = ByteWriter(peers: meta.peers)
            writer.write(tags)
            meta.peers = writer.peers
            values[forward] = .some(tags.isEmpty ? nil : writer.bytes)
            values[backward] = .some(tags.isEmpty ? nil : [])
        }
        for (key, isClaimed) in changedClaims { values[key] = .some(isClaimed ? [] : nil) }
        values[SyncMeta.key] = .some(meta.encoded())
        return values.map { StateEntry(key: $0.key, value: $0.value) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    private func encoded(_ record: ObjectRecord) -> [UInt8] {
        var writer = ByteWriter(peers: meta.peers)
        writer.write(record)
        writer.write(record.derived)
        meta.peers = writer.peers
        return writer.bytes
    }

    // MARK: Keys

    /// The bytes of an object in keys; its author gets a number if it has none.
    func key(_ object: ObjectIdentity) -> [UInt8] {
        _ = meta.peers.number(of: object.creation.author)
        return knownKey(object) ?? []
    }

    private func knownKey(_ object: ObjectIdentity) -> [UInt8]? {
        guard let number = meta.peers.known(object.creation.author) else { return nil }
        var key: [UInt8] = []
        key.reserveCapacity(StateKey.objectSize + 1)
        StateKey.append(UInt64(number), count: 2, to: &key)
        StateKey.append(object.creation.sequence, count: 6, to: &key)
        StateKey.append(UInt64(object.ordinal), count: 4, to: &key)
        return key
    }

    /// The object that a key names after the letter of its table.
    func object(inKey key: [UInt8]) throws -> ObjectIdentity { try object(key.dropFirst()) }

    private func object(_ key: ArraySlice<UInt8>) throws -> ObjectIdentity {
        let key = Array(key)
        let number = key.count == StateKey.objectSize ? Int(StateKey.number(key[0..<2])) : .max
        guard number < meta.peers.peers.count else { throw FormatError(.peer, at: 0) }
        let creation = TransactionID(meta.peers.peers[number], StateKey.number(key[2..<8]))
        return ObjectIdentity(creation, UInt32(truncatingIfNeeded: StateKey.number(key[8..<12])))
    }

    private func linkPrefix(_ table: UInt8, _ end: LinkEnd) -> [UInt8]? {
        guard let object = knownKey(end.object) else { return nil }
        return prefix(table, object, end.relationship)
    }

    private func linkPrefix(_ table: UInt8, _ relationship: SchemaID, _ object: ObjectIdentity) -> [UInt8] {
        prefix(table, key(object), relationship)
    }

    private func prefix(_ table: UInt8, _ object: [UInt8], _ relationship: SchemaID) -> [UInt8] {
        var key = [table] + object
        StateKey.append(UInt64(relationship.rawValue), count: 4, to: &key)
        return key
    }

    /// The link that a key of the table of links names.
    func link(inKey key: [UInt8]) throws -> LinkKey {
        guard key.count == 5 + 2 * StateKey.objectSize else { throw FormatError(.truncated, at: 0) }
        let number = StateKey.number(key[(1 + StateKey.objectSize)..<(5 + StateKey.objectSize)])
        return LinkKey(
            relationship: SchemaID(rawValue: UInt32(truncatingIfNeeded: number)),
            source: try object(key[1..<1 + StateKey.objectSize]), target: try object(key.suffix(StateKey.objectSize)))
    }

    func tags(of bytes: [UInt8]) throws -> [LinkTag] {
        var reader = ByteReader(bytes, peers: meta.peers.peers)
        return try reader.tags()
    }
}
