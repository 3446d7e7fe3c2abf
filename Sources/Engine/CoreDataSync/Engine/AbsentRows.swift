extension SyncState {
    /// A change of a row without the values that are not here, which are noted with what the row shows; nil if nothing is left of it.
    ///
    /// - Parameter before: The value that the row has of an attribute.
    func withoutAbsent(_ change: RowChange, before: (SyncAttribute) throws -> SyncValue) throws -> RowChange? {
        let object = change.object
        let known = try shownForAbsent(of: object)
        guard case .insert(var row) = change.orUpdate else {
            for attribute in known.keys { forgetAbsent(ValuePlace(object, attribute)) }
            return change
        }
        let isNew = change.isInsertion
        if isNew { for attribute in known.keys { forgetAbsent(ValuePlace(object, attribute)) } }
        guard let entity = schema.entity(named: row.entity) else { return change }
        for (name, value) in row.values {
            guard let attribute = entity.attribute(named: name) else { continue }
            let place = ValuePlace(object, attribute.id)
            guard try !isHere(value) else {
                if known[attribute.id] != nil { forgetAbsent(place) }
                continue
            }
            noteAbsent(place, shown: isNew ? .null : try known[attribute.id] ?? before(attribute))
            row.values[name] = isNew ? .null : nil
        }
        if isNew { return .insert(row) }
        return row.values.isEmpty && row.links.isEmpty ? nil : .update(row)
    }
}

extension RowChange {
    /// An update as an insertion, to look at the rows of both alike.
    fileprivate var orUpdate: RowChange {
        if case .update(let row) = self { return .insert(row) }
        return self
    }

    fileprivate var isInsertion: Bool { if case .insert = self { true } else { false } }
}
