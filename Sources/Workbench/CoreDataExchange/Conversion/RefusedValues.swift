import CoreData

/// The values of a store that a copy of another store type cannot store: their number, and the first of them.
struct RefusedValues {
    private static let rowsAtOnce = 250

    private(set) var count = 0
    private(set) var lines: [String] = []

    /// Adds a value that the copy of rows refused.
    mutating func add(_ refusal: TableCopy.Refusal) {
        add(
            refusal.entity, key: refusal.key, attribute: refusal.attribute, value: refusal.value, reason: refusal.reason
        )
    }

    private mutating func add(_ entity: String, key: Int64, attribute: String, value: String, reason: String) {
        add(line: "\(entity)/p\(key) \(attribute) = \(value): \(reason)")
    }

    private mutating func add(line: String) {
        count += 1
        guard lines.count < StoreCopy.mostListed else { return }
        lines.append(PrintableText.escaped(line, limit: 300))
    }

    /// How many values there are, as words.
    var text: String { count == 1 ? "1 value" : "\(count) values" }

    /// Adds a fault that was found when an XML or binary copy was read back, with its remedy.
    ///
    /// The object is named by its primary key in the store; `keys` maps the keys of the copy to those of the store.
    mutating func add(_ fault: LoadFault, model: NSManagedObjectModel, keys: CopiedKeys?, of store: String?) {
        let root = fault.entity.flatMap { model.entitiesByName[$0] }?.rootName
        let original = fault.key.flatMap { key in
            root.flatMap { root in store.flatMap { keys?.original(of: key, root: root, in: $0) } }
        }
        let object = "\(fault.entity ?? "?")/p\((original ?? fault.key).map(String.init) ?? "?")"
        let remedy = fault.remedy ?? (fault.staysInFile ? "it is copied as it is" : "it cannot be copied")
        add(line: "\(object) \(fault.property ?? ""): \(fault.reason); \(remedy)")
    }

    /// Adds a number of values that are counted, but not listed.
    mutating func addUnlisted(_ number: Int) { count += number }

    /// Adds the values of a store of any type that the SQL store type `kind` cannot store.
    mutating func add(of store: OpenStore, by kind: any TableCopying.Type) throws {
        let isAny = { (_: EntityLayout) in true }
        try Self.forEachRow(of: store, where: isAny) { slab, index in add(of: slab, index, by: kind) }
    }

    /// Adds a large value whose file is missing or cannot be used.
    mutating func addUnreadable(_ entity: String, key: Int64, attribute: String, reason: String) {
        add(line: "\(entity)/p\(key) \(attribute): \(reason)")
    }

    /// Adds the large values whose files are missing or cannot be used; reads all rows with such values.
    mutating func addUnreadable(of store: OpenStore) throws {
        guard store.facts.type == .sqlite else { return }
        let isLarge = { (layout: EntityLayout) in
            layout.slots.contains { slot in
                guard case .attribute(let attribute, let form) = slot.content else { return false }
                return form == .composite || attribute.allowsExternalBinaryDataStorage
            }
        }
        try Self.forEachRow(of: store, where: isLarge) { slab, index in
            try Self.forEachValue(of: slab, index) { stored, attribute, name in
                guard attribute.allowsExternalBinaryDataStorage, stored.tag == RowTag.blob, stored.bytes.first == 2
                else { return }
                if let reason = try StoreFile.flaw(ofLargeValue: stored.bytes, of: store.facts.url) {
                    addUnreadable(
                        slab.layout.entity.name ?? "", key: slab.key(index), attribute: name, reason: reason)
                }
            }
        }
    }

    private static func forEachRow(
        of store: OpenStore, where isWanted: (EntityLayout) -> Bool, _ body: (RowSlab, Int) throws -> Void
    ) throws {
        guard let objects = store.store.objects else { return }
        let model = ModelLayout.of(store.coordinator.managedObjectModel)
        for layout in model.entities
        where !layout.entity.isAbstract && store.store.keeps(layout.entity, of: model.model) && isWanted(layout) {
            let query = FetchQuery(binding: store.store.binding(for: layout), includesSubentities: false)
            let stream = try store.store.serialized { try objects.rowStream(query) }
            while true {
                let runs = try store.store.serialized { try stream.next(Self.rowsAtOnce) }
                guard !runs.isEmpty else { break }
                for run in runs { for index in run.range { try body(run.slab, index) } }
            }
        }
    }

    private mutating func add(of slab: RowSlab, _ index: Int, by kind: any TableCopying.Type) {
        Self.forEachValue(of: slab, index) { add($0, attribute: $1, name: $2, slab: slab, index: index, by: kind) }
    }

    /// Hands out the stored values of a row's attributes, those of the elements of composite ones, with their names.
    private static func forEachValue<Failure>(
        of slab: RowSlab, _ index: Int,
        _ body: (StoredValue, NSAttributeDescription, _ name: String) throws(Failure) -> Void
    ) throws(Failure) {
        for slot in 0..<slab.storedCount where slab.tag(index, slot) != RowTag.null {
            guard case .attribute(let attribute, let form) = slab.layout.slots[slot].content else { continue }
            let stored = slab.storedValue(index, slot)
            guard form == .composite else {
                try body(stored, attribute, attribute.name)
                continue
            }
            let leaves = CompositeCoding.leaves(of: attribute)
            for (leaf, element) in zip(leaves, CompositeCoding.elements(in: stored.bytes)) {
                let name = ([attribute.name] + leaf.path).joined(separator: ".")
                try body(element, leaf.attribute, name)
            }
        }
    }

    private mutating func add(
        _ value: StoredValue, attribute: NSAttributeDescription, name: String, slab: RowSlab, index: Int,
        by kind: any TableCopying.Type
    ) {
        guard value.tag != RowTag.null, let reason = kind.refusal(of: value, of: attribute)
        else { return }
        let text = value.tag == RowTag.real ? "\(value.real)" : String(decoding: value.bytes, as: UTF8.self)
        add(slab.layout.entity.name ?? "", key: slab.key(index), attribute: name, value: text, reason: reason)
    }
}

extension NSEntityDescription {
    fileprivate var rootName: String? { sequence(first: self) { $0.superentity }.reduce(nil) { $1.name ?? $0 } }
}

extension LoadFault {
    /// Whether a file can have the fault: only what the model demands of values is not met.
    var staysInFile: Bool { kind == .missingValue || kind == .duplicateValues }
}
