import CoreData

/// Writes the objects that queries select as CSV or JSON from the store's rows, without creating managed objects.
///
/// Rows come as they are at one moment, some at a time. A value that is not in the plain form of its type is decoded as
/// for an object; one that cannot be read is left to the object, which knows what to say of it.
struct RowList: ~Copyable {
    /// The number of rows in memory at a time; a row may have large values.
    private static let rowsAtOnce = 250
    private static let blockSize = 1 << 16

    private let store: OpenStore
    private let objects: any ObjectStore
    private let model: ModelLayout
    private let routes: [KeyRoute]?
    /// The properties of a table by their names, where no routes say them.
    private let columns: [String]
    /// Which properties are written where no routes say so.
    private let choice: (NSPropertyDescription) -> Bool
    private let values: StoredText
    /// Receives each value that cannot be read: where it is, and why.
    private let failures: (String, String) -> Void
    private var text = ByteText(capacity: 2 * blockSize)
    private var forms: [RowTemplate?]
    /// The start of the addresses of each entity's objects, without the primary key.
    private var addresses: [[UInt8]]
    /// How many rows have been written.
    private(set) var count = 0
    /// The values of transient properties, which are the same in every object that comes from a store.
    private var constants: [String: PropertyReading] = [:]

    init?(
        _ store: OpenStore, _ routes: [KeyRoute]?, as format: ListFormat, columns: [String] = [],
        where choice: @escaping (NSPropertyDescription) -> Bool = { _ in true },
        failures: @escaping (String, String) -> Void
    ) {
        guard let objects = store.store.objects, routes?.allSatisfy(\.isDirect) != false else { return nil }
        self.store = store
        self.objects = objects
        self.routes = routes
        self.columns = columns
        self.choice = choice
        self.failures = failures
        values = StoredText(format: format)
        model = ModelLayout.of(store.coordinator.managedObjectModel)
        forms = Array(repeating: nil, count: model.entities.count)
        addresses = Array(repeating: [], count: model.entities.count)
    }

    /// Writes all rows, in blocks that `send` takes.
    ///
    /// - Throws: what the store and `send` throw.
    mutating func write(_ stream: any RowStream, to send: (UnsafeRawBufferPointer) throws -> Void) throws {
        try append(stream, to: send)
        try finish(to: send)
    }

    /// Writes the rows of one of several streams; `progress` receives the number of written rows now and then.
    mutating func append(
        _ stream: any RowStream, progress: (Int) -> Void = { _ in },
        to send: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let store = store.store
        while true {
            let runs = try store.serialized { try stream.next(Self.rowsAtOnce) }
            guard !runs.isEmpty else { break }
            for run in runs {
                let form = try form(of: run.slab.layout)
                let keys = form.toMany.isEmpty ? [] : run.range.map(run.slab.key)
                let members = try MemberLists(form.toMany, keys: keys, in: store, of: model)
                for index in run.range {
                    if values.format == .json { text.append(count == 0 ? "[\n" as StaticString : ",\n") }
                    count += 1
                    append(run.slab, index: index, form: form, members: members)
                    if values.format == .jsonLines { text.append(UInt8(ascii: "\n")) }
                    if text.count >= Self.blockSize { try flush(send) }
                }
            }
            progress(count)
        }
    }

    /// Writes what follows the last row.
    mutating func finish(to send: (UnsafeRawBufferPointer) throws -> Void) throws {
        if values.format == .json { text.append(count == 0 ? "[]\n" as StaticString : "\n]\n") }
        try flush(send)
    }

    private mutating func flush(_ send: (UnsafeRawBufferPointer) throws -> Void) throws {
        try text.withBytes(send)
        text.removeAll()
    }

    private mutating func form(of layout: EntityLayout) throws -> RowTemplate {
        if let known = forms[layout.number] { return known }
        let form =
            values.format.isJSON
            ? try RowTemplate.json(routes, of: layout, where: choice)
            : routes.map { RowTemplate.csv($0, of: layout) } ?? RowTemplate.csv(columns: columns, of: layout)
        forms[layout.number] = form
        return form
    }

    private mutating func append(_ slab: RowSlab, index: Int, form: borrowing RowTemplate, members: MemberLists) {
        let row = slab.row(index)
        let valuesOffset = form.layout.valuesOffset
        form.cells.withUnsafeBufferPointer { cells in
            for number in cells.indices {
                cells[number].head.withUnsafeBytes { text.append($0) }
                switch cells[number].source {
                case .nothing: continue
                case .objectID: appendAddress(form.layout.number, slab.key(index), isQuoted: false)
                case .attribute:
                    let slot = cells[number].slot
                    let bits = row.load(fromByteOffset: valuesOffset + slot * 8, as: UInt64.self)
                    let tag = row.load(fromByteOffset: EntityLayout.tagsOffset + slot, as: UInt8.self)
                    let isDone =
                        (!cells[number].isExternal || tag == RowTag.null)
                        && values.append(tag, bits: bits, kind: cells[number].kind, to: &text) { slab.bytes(bits) }
                    if !isDone {
                        values.append(part(reading(cells[number], slab: slab, index: index), cells[number]), to: &text)
                    }
                case .toOne: appendTarget(cells[number], slab: slab, index: index)
                case .toMany: appendMembers(members.members(cells[number].name, of: slab.key(index)))
                case .count: text.append(Int64(members.members(cells[number].name, of: slab.key(index)).count))
                case .transient: values.append(constant(cells[number], slab: slab, index: index), to: &text)
                }
            }
        }
        form.tail.withUnsafeBytes { text.append($0) }
    }
}

extension RowList {
    // MARK: Addresses

    private mutating func appendAddress(_ entity: Int, _ key: Int64, isQuoted: Bool) {
        if addresses[entity].isEmpty {
            let binding = store.store.binding(for: model.entities[entity])
            addresses[entity] = Array(NSManagedObjectID(binding: binding, key: 1).uri.utf8.dropLast())
        }
        if isQuoted { text.append(UInt8(ascii: "\"")) }
        addresses[entity].withUnsafeBytes { text.append($0) }
        text.append(key)
        if isQuoted { text.append(UInt8(ascii: "\"")) }
    }

    private mutating func appendTarget(_ cell: RowTemplate.Cell, slab: RowSlab, index: Int) {
        guard slab.tag(index, cell.slot) == RowTag.integer else { return values.appendNull(to: &text) }
        let recorded = slab.tag(index, cell.slot + 1) == RowTag.integer ? slab.integer(index, cell.slot + 1) : -1
        let destination = (cell.property as? NSRelationshipDescription)?.destinationEntity
        guard let entity = Int(exactly: recorded), model.entities.indices.contains(entity) else {
            // If the destination entity has subentities, only the store can determine the entity of the object.
            guard let destination, destination.subentities.isEmpty, let layout = model.layout(of: destination) else {
                return values.append(readFromObject(cell, slab: slab, index: index), to: &text)
            }
            return appendAddress(layout.number, slab.integer(index, cell.slot), isQuoted: values.format.isJSON)
        }
        appendAddress(entity, slab.integer(index, cell.slot), isQuoted: values.format.isJSON)
    }

    private mutating func appendMembers(_ members: [MemberLists.Member]) {
        if values.format == .csv, members.isEmpty { return text.append("\"\"" as StaticString) }
        if values.format.isJSON { text.append(UInt8(ascii: "[")) }
        for (number, member) in members.enumerated() {
            if number > 0 { text.append(UInt8(ascii: values.format.isJSON ? "," : " ")) }
            appendAddress(member.entity, member.key, isQuoted: values.format.isJSON)
        }
        if values.format.isJSON { text.append(UInt8(ascii: "]")) }
    }

    // MARK: Values that take decoding

    private func reading(_ cell: RowTemplate.Cell, slab: RowSlab, index: Int) -> PropertyReading {
        guard let attribute = cell.property as? NSAttributeDescription else { return .null }
        let stored = slab.storedValue(index, cell.slot)
        let decoded = Result { try SlotCoding.value(of: stored, cell.kind, attribute, from: objects) }
        guard case .success(let value?) = decoded else { return readFromObject(cell, slab: slab, index: index) }
        return .value(value, cell.kind)
    }

    /// The element of a composite value that a cell is of, or the value itself.
    private func part(_ reading: PropertyReading, _ cell: RowTemplate.Cell) -> PropertyReading {
        cell.element.map { reading.element(at: $0.path, as: $0.kind) } ?? reading
    }

    private mutating func constant(_ cell: RowTemplate.Cell, slab: RowSlab, index: Int) -> PropertyReading {
        let name = "\(slab.layout.number) \(cell.name)"
        if let known = constants[name] { return known }
        let reading = readFromObject(cell, slab: slab, index: index)
        if case .unreadable = reading { return reading }
        constants[name] = reading
        return reading
    }

    /// What the object of a row has.
    private func readFromObject(_ cell: RowTemplate.Cell, slab: RowSlab, index: Int) -> PropertyReading {
        let id = NSManagedObjectID(binding: slab.binding, key: slab.key(index))
        guard let property = cell.property, let object = try? store.context.existingObject(with: id) else {
            return .null
        }
        let reading = store.reader.read(property, of: object)
        if case .unreadable(let reason) = reading { failures("\(id.shortText) \(cell.name)", reason) }
        return reading
    }
}
