import CoreDataSQL
import SQLiteKit

/// Carries out one batch update: one statement, and the changes of derived values and large values that follow from it.
struct BatchUpdateWriter {
    private let file: StoreFile
    private let batch: BatchUpdate
    private let mapping: EntityMapping
    private let compiled: CompiledUpdate
    /// The update in the form that history records as a whole; nil if it does more than set attributes to constants.
    private let uniform: UniformUpdate?
    /// The query for the keys of the updated rows.
    private let keys: CompiledQuery

    /// - Throws: `NSCoreDataError` for a query without SQL; the store has not been changed.
    init(_ batch: BatchUpdate, in file: StoreFile) throws {
        self.file = file
        self.batch = batch
        let mapping = try file.mapping(of: batch.query.binding.layout)
        self.mapping = mapping
        let assignments = Self.assignments(of: batch, mapping, file)
        let compiled = try file.compiled { try $0.update(batch.query, assignments, report: batch.report) }
        self.compiled = compiled
        uniform = Self.uniform(assignments, mapping, rows: compiled.rows)
        keys = try file.compiled { try $0.select(batch.query, columns: ["Z_PK", "Z_ENT"]) }
    }

    func run() throws -> BatchOutcome {
        try file.requireTargets(of: batch.constants)
        try markReplacedFiles()
        var derivations = try derivations()
        file.batchFunctions.conversions = compiled.conversions
        let outcome = try recording(derives: derivations != nil) { try change() }
        try derivations?.write()
        return outcome
    }

    private func recording(derives: Bool, _ body: () throws -> BatchOutcome) throws -> BatchOutcome {
        guard !derives, let uniform, let history = file.historyWriter else { return try body() }
        return try history.recording(uniform, connection: file.connection, body: body)
    }

    private func change() throws -> BatchOutcome {
        let statement = try file.prepare(compiled.query)
        guard batch.report == .addresses else {
            try statement.run()
            return BatchOutcome(count: file.connection.changes)
        }
        let family = batch.query.includesSubentities ? mapping.familyNumbers : [mapping.number]
        let addresses = try file.addresses(of: statement, family: family)
        return BatchOutcome(count: addresses.count, addresses: Array(addresses))
    }

    private static func uniform(
        _ assignments: [BatchAssignment], _ mapping: EntityMapping, rows: CompiledQuery?
    ) -> UniformUpdate? {
        let attributes = Set(mapping.attributes.map(\.column))
        var values: [(String, SQLParameter)] = []
        for assignment in assignments {
            guard case .parameter(let value) = assignment.source, attributes.contains(assignment.column) else {
                return nil
            }
            values.append((assignment.column, value))
        }
        return values.isEmpty ? nil : UniformUpdate(table: mapping.table, values: values, rows: rows)
    }

    // MARK: Dependent changes

    private func markReplacedFiles() throws {
        // Other elements of a composite attribute keep their files. The slots that the update sets completely.
        let names = Set(slotNames(slots))
        let whole = mapping.attributes.filter { names.contains($0.name) }.map(\.column)
        let columns = Set(whole + Self.elements(of: batch, mapping, file).map(\.column))
        guard let values = LargeValueColumns(mapping, within: columns) else { return }
        let query = values.query(where: "Z_PK IN (SELECT Z_PK FROM (\(keys.sql)))")
        try file.external.markReplaced(in: try file.prepare(keys, as: query))
    }

    private func slotNames(_ slots: SlotSet) -> [String] {
        let layout = batch.query.binding.layout
        return (0..<layout.storedCount).filter(slots.contains).map { layout.slots[$0].name }
    }

    /// The slots that are set completely.
    private var slots: SlotSet {
        batch.expressions.reduce(into: batch.constants.changed) { $0.insert($1.slot) }
    }

    /// Collects the derived values that the update changes; nil if it changes none.
    private func derivations() throws -> SQLiteDerivationWriter? {
        guard var writer = file.derivedColumns.map({ SQLiteDerivationWriter(file: file, columns: $0) }) else {
            return nil
        }
        let names = slotNames(batch.elements.reduce(into: slots) { $0.insert($1.slot) })
        let plans = file.plans(of: mapping, withDescendants: batch.query.includesSubentities)
        let changed = Dictionary(
            plans.map { ($0.layout.number, Self.slots(named: names, in: $0.layout)) },
            uniquingKeysWith: { first, _ in first })
        guard changed.contains(where: { writer.concerns(layout: $0.key, $0.value) }) else { return nil }
        let statement = try file.prepare(keys)
        while try statement.step() {
            guard let number = file.plan(number: statement.int64(1))?.layout.number, let slots = changed[number] else {
                continue
            }
            writer.note(updated: statement.int64(0), layout: number, slots)
        }
        try writer.findFormerOwners()
        return writer
    }

    private static func slots(named names: [String], in layout: EntityLayout) -> SlotSet {
        names.reduce(into: SlotSet()) { set, name in
            switch layout.places[name] {
            case .attribute(let slot), .toOne(let slot): set.insert(slot)
            default: break
            }
        }
    }

    // MARK: Columns

    private static func assignments(
        of batch: BatchUpdate, _ mapping: EntityMapping, _ file: StoreFile
    ) -> [BatchAssignment] {
        guard let plan = file.plan(number: Int64(mapping.number)) else { return [] }
        let row = batch.constants
        var assignments: [BatchAssignment] = []
        for field in plan.fields where field.isGiven(in: row.changed) {
            let value = field.value(in: row, file)
            let isLarge = mapping.attributes.first { $0.column == field.column }?.allowsExternalStorage ?? false
            assignments.append(
                BatchAssignment(
                    column: field.column, source: isLarge && value != .null ? .largeValue(value) : .parameter(value)))
            if let order = mapping.toOnes.first(where: { $0.column == field.column })?.orderColumn {
                assignments.append(
                    BatchAssignment(
                        column: order,
                        source: value == .null ? .parameter(.null) : .lastPlace(keyColumn: field.column, key: value)))
            }
        }
        for (slot, expression) in batch.expressions {
            guard case .attribute(let attribute, _) = plan.layout.slots[slot].content,
                let column = mapping.attribute(attribute.name)?.column
            else { continue }
            assignments.append(BatchAssignment(column: column, source: .computed(expression, attribute)))
        }
        return assignments + elements(of: batch, mapping, file)
    }

    /// Returns the assignments to columns of single elements of composite attributes.
    private static func elements(
        of batch: BatchUpdate, _ mapping: EntityMapping, _ file: StoreFile
    ) -> [BatchAssignment] {
        guard !batch.elements.isEmpty, let plan = file.plan(number: Int64(mapping.number)) else { return [] }
        return batch.elements.compactMap { element in
            guard let field = plan.fields.first(where: { $0.slot == element.slot && $0.element == element.place })
            else {
                return nil
            }
            switch element.source {
            case .computed(let expression):
                return BatchAssignment(column: field.column, source: .computed(expression, element.attribute))
            case .constant(let cell):
                let value = SQLParameter(cell).kept(in: ColumnType(element.attribute.attributeType))
                let isLarge = element.attribute.allowsExternalBinaryDataStorage && value != .null
                return BatchAssignment(column: field.column, source: isLarge ? .largeValue(value) : .parameter(value))
            }
        }
    }
}

extension RowField {
    /// Whether the slots contain the field's slot or, for a target's entity number, the relationship's (one before).
    func isGiven(in slots: SlotSet) -> Bool { slots.contains(slot) || isEntityNumber && slots.contains(slot - 1) }

    /// Returns the field's value in a row, as a parameter.
    func value(in row: SavePlan.Row, _ file: StoreFile) -> SQLParameter {
        let slab = row.slab
        let tag = slab.tag(row.index, slot)
        if let element {
            guard tag == RowTag.blob else { return .null }
            let elements = CompositeCoding.elements(in: slab.bytes(row.index, slot))
            guard element < elements.count else { return .null }
            let value = elements[element]
            return Self.parameter(value.tag, bits: value.bits, bytes: value.bytes)
        }
        if isEntityNumber {
            guard tag == RowTag.integer else { return .null }
            return .integer(file.entityNumber(ofLayout: Int(truncatingIfNeeded: slab.integer(row.index, slot))))
        }
        let isBytes = tag == RowTag.text || tag == RowTag.blob
        return Self.parameter(
            tag, bits: slab.bits(row.index, slot),
            bytes: isBytes ? slab.bytes(row.index, slot) : UnsafeRawBufferPointer(start: nil, count: 0))
    }

    private static func parameter(_ tag: UInt8, bits: UInt64, bytes: UnsafeRawBufferPointer) -> SQLParameter {
        switch tag {
        case RowTag.integer: .integer(Int64(bitPattern: bits))
        case RowTag.real: .real(Double(bitPattern: bits))
        case RowTag.text: .text(String(decoding: bytes, as: UTF8.self))
        case RowTag.blob: .blob(Data(bytes))
        default: .null
        }
    }
}
