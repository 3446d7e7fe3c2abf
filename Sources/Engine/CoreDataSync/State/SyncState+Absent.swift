/// The value of an attribute of an object.
package struct ValuePlace: Hashable, Comparable, Sendable {
    package let object: ObjectIdentity
    package let attribute: SchemaID

    package init(_ object: ObjectIdentity, _ attribute: SchemaID) {
        self.object = object
        self.attribute = attribute
    }

    package static func < (left: ValuePlace, right: ValuePlace) -> Bool {
        (left.object, left.attribute.rawValue) < (right.object, right.attribute.rawValue)
    }
}

/// Large values that come on demand: the state has their digests, and the row shows nil or the value from before.
///
/// An entry has what the row shows, so that a save which leaves it is no edit of the value.
extension SyncState {
    private func absentKey(_ table: UInt8, _ place: ValuePlace) -> [UInt8] {
        var key = [table] + self.key(place.object)
        StateKey.append(UInt64(place.attribute.rawValue), count: 4, to: &key)
        return key
    }

    private func place(inKey key: [UInt8]) throws -> ValuePlace {
        guard key.count == 1 + StateKey.objectSize + 4 else { throw FormatError(.truncated, at: 0) }
        let attribute = SchemaID(rawValue: UInt32(truncatingIfNeeded: StateKey.number(key.suffix(4))))
        return ValuePlace(try object(inKey: key.dropLast(4)), attribute)
    }

    /// What the row of an object shows instead of values that are not here.
    func shownForAbsent(of object: ObjectIdentity) throws -> [SchemaID: SyncValue] {
        var found: [SchemaID: SyncValue] = [:]
        let hasStored =
            try hasStoredAbsent
            ?? !storage.entries(withPrefix: [StateKey.absent], after: nil, atMost: 1).isEmpty
        hasStoredAbsent = hasStored
        if hasStored, meta.peers.known(object.creation.author) != nil {
            for entry in try storage.entries(withPrefix: [StateKey.absent] + key(object)) {
                var reader = ByteReader(entry.value ?? [])
                found[try place(inKey: entry.key).attribute] = try reader.value()
            }
        }
        for (attribute, value) in changedAbsent[object] ?? [:] { found[attribute] = value }
        return found
    }

    /// All values that are not here.
    func absentPlaces() throws -> [ValuePlace] {
        try keys(withPrefix: [StateKey.absent]).map { try place(inKey: $0) }
    }

    /// The values that were left out of rows since the state was read.
    var newAbsentPlaces: [ValuePlace] {
        changedAbsent.flatMap { object, values in
            values.compactMap { $0.value == nil ? nil : ValuePlace(object, $0.key) }
        }.sorted()
    }

    func noteAbsent(_ place: ValuePlace, shown: SyncValue) {
        changedAbsent[place.object, default: [:]][place.attribute] = .some(shown)
        set(shown.encoded, for: absentKey(StateKey.absent, place))
    }

    func forgetAbsent(_ place: ValuePlace) {
        changedAbsent[place.object, default: [:]][place.attribute] = .some(nil)
        set(nil, for: absentKey(StateKey.absent, place))
        set(nil, for: absentKey(StateKey.fetched, place))
    }

    // MARK: Values that were asked for

    func fetchedPlaces() throws -> [ValuePlace] {
        try keys(withPrefix: [StateKey.fetched]).map { try place(inKey: $0) }
    }

    func noteFetched(_ place: ValuePlace) { set([], for: absentKey(StateKey.fetched, place)) }

    func forgetFetched(_ place: ValuePlace) { set(nil, for: absentKey(StateKey.fetched, place)) }

    // MARK: Values

    /// Whether the bytes of a value are here.
    func isHere(_ value: SyncValue) throws -> Bool {
        guard case .large(let large) = value else { return true }
        return try large.chunks.allSatisfy { try hasChunk($0.digest) }
    }
}
