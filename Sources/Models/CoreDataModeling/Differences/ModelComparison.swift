import CoreDataFoundation

/// Collects the changes from one model to another.
struct ModelComparison {
    private let old: NSManagedObjectModel
    private let new: NSManagedObjectModel
    private let matching: ModelMatching
    private var changes: [ModelChange] = []
    /// For each property of the new model, its counterparts in the old model; several if entities that inherit it had
    /// their own.
    private var origins: [ObjectIdentifier: [NSPropertyDescription]] = [:]
    /// The properties of the old model that have a counterpart.
    private var kept = Set<ObjectIdentifier>()

    init(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel) {
        self.old = old
        self.new = new
        matching = ModelMatching(old, new)
        findOrigins()
    }

    /// Finds the counterparts of all properties of matched entities, so that moves within a hierarchy are recognized.
    private mutating func findOrigins() {
        var seen = Set<[ObjectIdentifier]>()
        for (oldEntity, newEntity) in matching.entities {
            for pair in ModelMatching.properties(oldEntity, newEntity) {
                kept.insert(ObjectIdentifier(pair.old))
                let key = [ObjectIdentifier(pair.new), ObjectIdentifier(pair.old)]
                if seen.insert(key).inserted { origins[ObjectIdentifier(pair.new), default: []].append(pair.old) }
            }
        }
    }

    mutating func run() -> [ModelChange] {
        change(ModelItem(.model, ""), DescriptionFact.differences(old.facts, new.facts), isStored: false)
        let items = matching.entities.map { (name: $0.new.name ?? "", old: Optional($0.old), new: Optional($0.new)) }
        let gone = matching.removed.map { (name: $0.name ?? "", old: Optional($0), new: NSEntityDescription?.none) }
        let fresh = matching.added.map { (name: $0.name ?? "", old: NSEntityDescription?.none, new: Optional($0)) }
        for item in (items + gone + fresh).sorted(by: { $0.name.precedesInBytes($1.name) }) {
            switch (item.old, item.new) {
            case (let old?, let new?): compare(old, new)
            case (let old?, nil): add(ModelItem(old), action: .removed, isHashed: true)
            case (nil, let new?): compareAdded(new)
            case (nil, nil): break
            }
        }
        compareConfigurations()
        compareNamed(
            .fetchRequest, entity: nil,
            old: old.templatesByName.mapValues { [DescriptionFact("fetch", FactText.fetch($0))] },
            new: new.templatesByName.mapValues { [DescriptionFact("fetch", FactText.fetch($0))] })
        return changes
    }

    // MARK: Entities

    private mutating func compare(_ old: NSEntityDescription, _ new: NSEntityDescription) {
        let aspects = DescriptionFact.differences(old.facts, new.facts)
        if old.name != new.name {
            add(ModelItem(new), action: .renamed(from: old.name ?? ""), aspects: aspects, isHashed: true)
        } else {
            change(ModelItem(new), aspects, isStored: true)
        }
        for property in Self.sorted(new.ownProperties) { compare(property, of: new) }
        for property in Self.sorted(old.ownProperties) where !kept.contains(ObjectIdentifier(property)) {
            add(ModelItem(property), action: .removed, isHashed: property.storedHash != nil)
        }
        compareNamed(
            .index, entity: new.name,
            old: Dictionary(old.indexes.map { ($0.name, $0.facts) }, uniquingKeysWith: { first, _ in first }),
            new: Dictionary(new.indexes.map { ($0.name, $0.facts) }, uniquingKeysWith: { first, _ in first }))
        compareConstraints(old, new)
    }

    /// Reports an added entity, without its properties except those that were moved to it.
    private mutating func compareAdded(_ entity: NSEntityDescription) {
        add(ModelItem(entity), action: .added, isHashed: true)
        for property in Self.sorted(entity.ownProperties) where origins[ObjectIdentifier(property)] != nil {
            compare(property, of: entity)
        }
    }

    private mutating func compareConstraints(_ old: NSEntityDescription, _ new: NSEntityDescription) {
        let before = Set(old.uniquenessConstraintNames.map { $0.joined(separator: ", ") })
        let after = Set(new.uniquenessConstraintNames.map { $0.joined(separator: ", ") })
        for name in before.union(after).sorted(by: { $0.precedesInBytes($1) }) {
            guard before.contains(name) != after.contains(name) else { continue }
            let item = ModelItem(.constraint, name, of: new.name)
            add(item, action: after.contains(name) ? .added : .removed, isHashed: true)
        }
    }

    // MARK: Properties

    private mutating func compare(_ property: NSPropertyDescription, of entity: NSEntityDescription) {
        let origins = origins[ObjectIdentifier(property)] ?? []
        guard let origin = origins.first(where: { $0.entity === matching.old(of: entity) }) ?? origins.first else {
            return add(ModelItem(property), action: .added, isHashed: property.storedHash != nil)
        }
        let aspects = DescriptionFact.differences(origin.facts, property.facts)
        let isHashed = origin.storedHash != property.storedHash
        if origin.entity !== matching.old(of: entity) {
            let owners = Set(origins.compactMap { $0.entity?.name }).sorted { $0.precedesInBytes($1) }
            add(
                ModelItem(property), action: .moved(from: owners), aspects: aspects,
                isHashed: property.storedHash != nil || isHashed)
        } else if origin.name != property.name {
            add(ModelItem(property), action: .renamed(from: origin.name), aspects: aspects, isHashed: isHashed)
        } else if !aspects.isEmpty {
            add(ModelItem(property), action: .changed, aspects: aspects, isHashed: isHashed)
        }
    }

    // MARK: The rest

    private mutating func compareConfigurations() {
        func facts(_ model: NSManagedObjectModel) -> [String: [DescriptionFact]] {
            model.entityNamesByConfiguration.mapValues {
                [DescriptionFact("entities", $0.sorted().joined(separator: ", "))]
            }
        }
        compareNamed(.configuration, entity: nil, old: facts(old), new: facts(new))
    }

    private mutating func compareNamed(
        _ kind: ModelItem.Kind, entity: String?, old: [String: [DescriptionFact]],
        new: [String: [DescriptionFact]]
    ) {
        for name in Set(old.keys).union(new.keys).sorted(by: { $0.precedesInBytes($1) }) {
            let item = ModelItem(kind, name, of: entity)
            switch (old[name], new[name]) {
            case (let before?, let after?): change(item, DescriptionFact.differences(before, after), isStored: false)
            case (nil, _): add(item, action: .added, isHashed: false)
            case (_, nil): add(item, action: .removed, isHashed: false)
            }
        }
    }

    private mutating func change(_ item: ModelItem, _ aspects: [ModelAspect], isStored: Bool) {
        guard !aspects.isEmpty else { return }
        add(item, action: .changed, aspects: aspects, isHashed: isStored && aspects.contains(where: \.isHashed))
    }

    private mutating func add(
        _ item: ModelItem, action: ModelChange.Action, aspects: [ModelAspect] = [], isHashed: Bool
    ) {
        changes.append(ModelChange(item: item, action: action, aspects: aspects, changesVersionHash: isHashed))
    }

    private static func sorted(_ properties: [NSPropertyDescription]) -> [NSPropertyDescription] {
        properties.sorted { $0.name.precedesInBytes($1.name) }
    }
}

extension NSPropertyDescription {
    /// Whether the property is neither transient nor fetched, so that stores keep its values.
    package final var isStored: Bool { !isTransient && !(self is NSFetchedPropertyDescription) }

    /// The property's part of its entity's version hash; nil if it has none.
    fileprivate final var storedHash: [UInt8]? { isStored ? versionHashBytes(.current) : nil }
}
