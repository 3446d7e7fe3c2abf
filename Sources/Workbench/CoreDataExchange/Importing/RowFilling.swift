import CoreData

/// The row of one record, as far as it can be made before all objects are there.
struct RowFilling {
    let slab: RowSlab
    let index: Int
    /// To-one relationships whose targets are not there yet, by slot.
    private(set) var targets: [(slot: Int, label: String)] = []
    /// Relationships that objects have to be led to each other for.
    private(set) var links: [ImportRecord.Member] = []
    /// Whether the record names relationships that are not in the row alone, empty ones too.
    private(set) var namesLinks = false
    /// Whether relationships are to be checked when all objects are there.
    private(set) var isIncomplete = false
    /// The slots that the record has values for.
    private(set) var written = SlotSet()

    /// The next row of a slab that is not full.
    init(in slab: RowSlab) {
        self.slab = slab
        index = slab.count
    }

    /// Adds the row with the record's values and, for all else, the model's; false where it cannot be or breaks a rule.
    ///
    /// The reason is found and reported when an object is made of the record.
    /// - Throws: where the ledger cannot be read.
    mutating func fill(
        _ record: ImportRecord, form: ImportRowForm, rows: NewRows, key: Int64, progress: ImportProgress
    ) throws -> Bool {
        guard (try? rows.append(to: slab, key: key, form.made)) != nil,
            try setValues(of: record, form: form, rows: rows, progress: progress)
        else { return false }
        noteCompleteness(form)
        return (try? rows.finish(slab, index, form.made)) != nil
    }

    /// Sets the record's values in a row that was added to the slab; false where the row cannot have them.
    ///
    /// - Throws: where the ledger cannot be read.
    mutating func setValues(
        of record: ImportRecord, form: ImportRowForm, rows: NewRows, progress: ImportProgress
    ) throws -> Bool {
        var seen = SlotSet()
        for (position, member) in record.members.enumerated() {
            guard let (number, field) = form.field(named: member.key, at: position) else {
                if record.isTable, case .null = member.value { continue }
                return false
            }
            guard !seen.contains(number) else { return false }
            seen.insert(number)
            switch field {
            case .attribute(let attribute, let kind, let slot):
                guard set(member.value, attribute: attribute, kind: kind, slot: slot, rows: rows) else {
                    return false
                }
                written.insert(slot)
            case .toOne(let relationship, let slot, let entities):
                written.insert(slot)
                guard
                    try set(
                        member, relationship: relationship, slot: slot, entities: entities, progress: progress)
                else { return false }
            case .link(let relationship):
                namesLinks = true
                guard let labels = try? member.labels(for: relationship) else { return false }
                if labels.isEmpty { continue }
                if !relationship.isToMany, let target = try progress.knownPlace(named: labels[0]),
                    let wanted = relationship.destinationEntity,
                    !progress.model.entities[target.entity].entity.isKindOf(entity: wanted)
                {
                    return false
                }
                links.append(member)
            case .made: guard record.isExported else { return false }
            }
        }
        return true
    }

    private func set(
        _ value: EditValue, attribute: NSAttributeDescription, kind: AttributeKind, slot: Int, rows: NewRows
    ) -> Bool {
        guard let held = try? value.held(for: attribute, kind) else { return false }
        return (try? rows.set(held, slot: slot, attribute: attribute, kind: kind, in: slab, index)) == true
    }

    private mutating func set(
        _ member: ImportRecord.Member, relationship: NSRelationshipDescription, slot: Int, entities: Set<Int>,
        progress: ImportProgress
    ) throws -> Bool {
        guard let labels = try? member.labels(for: relationship) else { return false }
        guard let label = labels.first else { return true }
        guard let target = try progress.knownPlace(named: label) else {
            targets.append((slot, label))
            return true
        }
        return set(target, slot: slot, entities: entities)
    }

    /// Leads a to-one relationship to an object; false for one of an entity that it cannot lead to.
    private func set(_ target: ImportLedger.Place, slot: Int, entities: Set<Int>) -> Bool {
        guard entities.contains(target.entity) else { return false }
        slab.set(target, slot: slot, of: index)
        return true
    }

    /// Whether what is to be there is neither there nor waited for.
    private mutating func noteCompleteness(_ form: ImportRowForm) {
        isIncomplete =
            form.demandsLinks
            || form.demandedSlots.contains { slot in
                slab.tag(index, slot) == RowTag.null && !targets.contains { $0.slot == slot }
            }
    }
}

extension RowSlab {
    /// Leads a to-one relationship of a row that is being filled to an object.
    func set(_ target: ImportLedger.Place, slot: Int, of index: Int) {
        set(RowTag.integer, UInt64(bitPattern: target.key), row: row(index), slot: slot)
        set(RowTag.integer, UInt64(truncatingIfNeeded: target.entity), row: row(index), slot: slot + 1)
    }
}
