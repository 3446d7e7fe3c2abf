import CoreData

/// The values of a store that a copy of another kind cannot hold: how many, and the first of them.
struct RefusedValues {
    private static let rowsAtOnce = 250

    private(set) var count = 0
    private(set) var lines: [String] = []

    /// Adds one that was found among rows of tables.
    mutating func add(_ refusal: TableCopy.Refusal) {
        add(refusal.entity, refusal.key, refusal.attribute, refusal.value, refusal.reason)
    }

    private mutating func add(_ entity: String, _ key: Int64, _ attribute: String, _ value: String, _ reason: String) {
        count += 1
        guard lines.count < StoreTransfer.mostListed else { return }
        lines.append(PrintableText.escaped("\(entity)/p\(key) \(attribute) = \(value): \(reason)", limit: 300))
    }

    /// Adds those of a store of whatever kind that a kind with tables cannot hold.
    mutating func add(of store: OpenStore, by kind: any TableCopying.Type) throws {
        guard let objects = store.store.objects else { return }
        let model = ModelLayout.of(store.coordinator.managedObjectModel)
        for layout in model.entities
        where !layout.entity.isAbstract && store.store.keeps(layout.entity, of: model.model) {
            let query = FetchQuery(binding: store.store.binding(for: layout), includesSubentities: false)
            let stream = try store.store.serialized { try objects.rowStream(query) }
            while true {
                let runs = try store.store.serialized { try stream.next(Self.rowsAtOnce) }
                guard !runs.isEmpty else { break }
                for run in runs { for index in run.range { add(of: run.slab, index, by: kind) } }
            }
        }
    }

    private mutating func add(of slab: RowSlab, _ index: Int, by kind: any TableCopying.Type) {
        for slot in 0..<slab.storedCount where slab.tag(index, slot) != RowTag.null {
            guard case .attribute(let attribute, let form) = slab.layout.slots[slot].content else { continue }
            let stored = slab.storedValue(index, slot)
            guard form == .composite else {
                add(stored, attribute, attribute.name, slab, index, by: kind)
                continue
            }
            let leaves = CompositeCoding.leaves(of: attribute)
            for (leaf, element) in zip(leaves, CompositeCoding.elements(in: stored.bytes)) {
                let name = ([attribute.name] + leaf.path).joined(separator: ".")
                add(element, leaf.attribute, name, slab, index, by: kind)
            }
        }
    }

    private mutating func add(
        _ value: StoredValue, _ attribute: NSAttributeDescription, _ name: String, _ slab: RowSlab, _ index: Int,
        by kind: any TableCopying.Type
    ) {
        guard value.tag != RowTag.null, let type = ColumnType(attribute.attributeType),
            let reason = kind.refusal(of: value, in: type)
        else { return }
        let text = value.tag == RowTag.real ? "\(value.real)" : String(decoding: value.bytes, as: UTF8.self)
        add(slab.layout.entity.name ?? "", slab.key(index), name, text, reason)
    }
}
