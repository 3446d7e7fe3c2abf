/// A large value whose bytes are not here: they come on demand.
package struct AbsentValue: Hashable, Sendable {
    package let place: ValuePlace
    package let size: Int
    /// Whether it was asked for.
    package let isFetched: Bool
}

extension SyncEngine {
    /// The values that are not here, by object.
    package func absentValues(_ storage: any SyncStorage) throws -> [AbsentValue] {
        let state = SyncState(storage, configuration.schema, meta)
        let view = ObjectView(state: state, functions: configuration.functions)
        let fetched = Set(try state.fetchedPlaces())
        return try state.absentPlaces().map { place in
            var size = 0
            if case .large(let large)? = try view.value(at: place) { size = large.size }
            return AbsentValue(place: place, size: size, isFetched: fetched.contains(place))
        }
    }
}

extension ObjectView {
    /// The value of an attribute of an object that the store has; nil if it does not have the object.
    func value(at place: ValuePlace) throws -> SyncValue? {
        guard try survivor(place.object) == place.object, try isStored(place.object),
            let entity = try entity(place.object), let attribute = entity.attribute(place.attribute)
        else { return nil }
        return try value(of: members(place.object), attribute, entity)
    }

    /// A row as the store has it: with what it shows instead of values that are not here.
    func presentRow(_ survivor: ObjectIdentity) throws -> SyncRow? {
        guard var row = try row(survivor, where: isStored) else { return nil }
        let shown = try state.shownForAbsent(of: survivor)
        guard !shown.isEmpty, let entity = schema.entity(named: row.entity) else { return row }
        for (attribute, value) in shown {
            if let name = entity.attribute(attribute)?.name { row.values[name] = value }
        }
        return row
    }
}

extension EventRun {
    /// The chunks that a transaction waits for: not those of values that come on demand.
    func demanded(_ transaction: SyncTransaction) -> [LargeValue.Chunk] {
        transaction.operations.flatMap { operation in
            operation.attribute.map(configuration.isOnDemand) == true ? [] : operation.chunks
        }
    }

    /// Asks for values, which appear when their bytes are here.
    mutating func fetch(_ places: [ValuePlace]) throws {
        for place in places where try state.shownForAbsent(of: place.object)[place.attribute] != nil {
            state.noteFetched(place)
            engineValue.waiting.lacking.fetch(place, [], lacking: [])
            markChanged()
        }
    }

    /// Goes on with the values that were asked for before the engine was opened, and with those that do not come on demand any more.
    mutating func loadFetched() throws {
        for place in try state.fetchedPlaces() { engineValue.waiting.lacking.fetch(place, [], lacking: []) }
        for place in try state.absentPlaces() where !configuration.isOnDemand(place.attribute) {
            engineValue.waiting.lacking.fetch(place, [], lacking: [])
        }
        try showFetched()
    }

    /// Forgets that a value is not here where a save writes another.
    mutating func noteReplacedAbsent(_ operations: [SyncOperation]) throws {
        for operation in operations {
            switch operation {
            case .set(let object, let attribute, _):
                guard try state.shownForAbsent(of: object)[attribute] != nil else { continue }
                state.forgetAbsent(ValuePlace(object, attribute))
            case .delete(let object):
                for attribute in try state.shownForAbsent(of: object).keys {
                    state.forgetAbsent(ValuePlace(object, attribute))
                }
            default: continue
            }
        }
    }

    /// Leaves values out of the rows whose bytes are not here.
    mutating func leaveAbsentOut() throws {
        let (old, expected) = (projector.old, expected)
        rows = try rows.compactMap { change in
            try state.withoutAbsent(change) { attribute in
                switch expected[change.object] {
                case .whole(let row): return row.values[attribute.name] ?? .null
                case .values(let values): if let value = values[attribute.name] { return value }
                case .deleted: return .null
                case nil: break
                }
                guard let entity = try old.entity(change.object) else { return .null }
                return try old.value(of: old.members(change.object), attribute, entity)
            }
        }
        // An earlier value that shows again may never have been here.
        for place in state.newAbsentPlaces where !configuration.isOnDemand(place.attribute) {
            engineValue.waiting.lacking.fetch(place, [], lacking: [])
        }
    }

    /// Shows values that were asked for and are here by now, and says which chunks the others wait for.
    mutating func showFetched() throws {
        for place in engineValue.waiting.lacking.fetchedPlaces {
            guard try state.shownForAbsent(of: place.object)[place.attribute] != nil else {
                state.forgetFetched(place)
                engineValue.waiting.lacking.forget(place)
                continue
            }
            guard let value = try view.value(at: place), case .large(let large) = value else { continue }
            let lacking = try lackingDigests(large.chunks)
            engineValue.waiting.lacking.fetch(place, large.chunks, lacking: lacking)
            if lacking.isEmpty { try show(value, at: place) }
        }
    }

    private mutating func show(_ value: SyncValue, at place: ValuePlace) throws {
        guard let entity = try view.entity(place.object), let name = entity.attribute(place.attribute)?.name else {
            return
        }
        state.forgetAbsent(place)
        engineValue.waiting.lacking.forget(place)
        markChanged()
        let index = rows.firstIndex { change in
            if case .update = change { change.object == place.object } else { false }
        }
        if let index, case .update(var row) = rows[index] {
            row.values[name] = value
            rows[index] = .update(row)
        } else {
            rows.append(.update(SyncRow(place.object, entity: entity.name, values: [name: value])))
        }
    }
}
