import CoreDataStore

/// The sources of all columns of one new table, for each old entity whose rows move into the table.
struct ColumnOrigins {
    /// Where the values of a column come from, by the name of the new column and the number of the old entity.
    private(set) var sources: [String: [Int: ColumnSource]] = [:]
    /// Order columns of ordered relationships for which the old store has no positions: the key column and the column
    /// to fill.
    private(set) var places: [Place] = []
    /// Columns with the entity numbers of destinations that must be looked up: relationship key, number column,
    /// destination table.
    private(set) var lookups: [Lookup] = []
    /// The derived attributes, as `Entity.attribute`, whose old values are copied.
    private(set) var carriedDerivations: Set<String> = []
    private let correspondence: StoredCorrespondence

    struct Place: Hashable {
        let key: String
        let order: String
    }

    struct Lookup: Hashable {
        let key: String
        let number: String
        let table: String
    }

    init(of pairs: [EntityPair], _ correspondence: StoredCorrespondence) {
        self.correspondence = correspondence
        for pair in pairs {
            for attribute in pair.after.attributes {
                let source = source(of: attribute, pair)
                set(attribute.column, pair: pair, source: source)
                guard let derived = pair.new.attributesByName[attribute.name] as? NSDerivedAttributeDescription,
                    let owner = derived.entity?.name, source != .null
                else { continue }
                carriedDerivations.insert("\(owner).\(attribute.name)")
            }
            for toOne in pair.after.toOnes { addReference(toOne, pair) }
            for key in pair.after.foreignKeys { addForeignKey(key, pair) }
        }
    }

    /// Whether some rows without a value get a default value.
    var fillsValues: Bool {
        sources.values.contains { $0.values.contains(where: \.fillsValues) }
    }

    private mutating func set(_ column: String, pair: EntityPair, source: ColumnSource) {
        sources[column, default: [:]][pair.before.number] = source
    }

    // MARK: Attributes

    private func source(of mapping: AttributeMapping, _ pair: EntityPair) -> ColumnSource {
        guard let attribute = pair.new.attributesByName[mapping.name] else { return .null }
        if let derived = attribute as? NSDerivedAttributeDescription, !Self.carries(derived, pair) {
            // The value is computed after all rows have been copied.
            return .null
        }
        let leaf = Self.leaf(of: attribute, at: mapping.elementPath)
        let value = leaf.flatMap(Self.defaultValue)
        let isMarked = mapping.allowsExternalStorage && correspondence.dialect.marksLargeValues
        let form: ColumnSource.LargeValueForm = isMarked ? .marked : .plain
        // An optional composite that is nil stays nil: its new elements get values only in rows where another element
        // has one.
        let mayBeMissing = !mapping.elementPath.isEmpty && attribute.isOptional
        let before = pair.origins[mapping.name] as? NSAttributeDescription
        let origins = before.map { CompositeMatching.origins(of: attribute, in: $0) } ?? [:]
        guard let before, let origin = origins[mapping.elementPath],
            let old = pair.before.attributes.first(where: { $0.name == before.name && $0.elementPath == origin.path })
        else {
            guard let value else { return .null }
            guard mayBeMissing else { return isMarked ? .largeValue(value) : .value(value) }
            let others = Self.columns(of: before?.name, origins, pair, without: nil)
            return others.isEmpty ? .null : .beside(others, value, form)
        }
        // If the old attribute was optional, some rows may lack a value.
        let others = mayBeMissing ? Self.columns(of: before.name, origins, pair, without: old.column) : nil
        let mayFill = leaf?.isOptional == false && origin.attribute.isOptional && others?.isEmpty != true
        let filling = mayFill ? value : nil
        if let conversion = leaf.flatMap({
            NumberConversion(from: origin.attribute.attributeType, to: $0.attributeType)
        }), !conversion.keepsForm {
            return .converted(old.column, conversion, filling: filling, beside: others)
        }
        guard !correspondence.dialect.marksLargeValues || old.allowsExternalStorage == mapping.allowsExternalStorage
        else {
            return .large(old.column, form, filling: filling, beside: others)
        }
        return filling.map { .filled(old.column, $0, form, beside: others) } ?? .column(old.column)
    }

    /// Returns the old columns of the composite's elements that the new model keeps, except `column`.
    private static func columns(
        of composite: String?, _ origins: [[String]: CompositeMatching.Leaf], _ pair: EntityPair,
        without column: String?
    ) -> [String] {
        let paths = Set(origins.values.map(\.path))
        return pair.before.attributes.filter {
            $0.name == composite && paths.contains($0.elementPath) && $0.column != column
        }.map(\.column)
    }

    /// Whether the old attribute had the same derivation and type, so that its values can be copied.
    private static func carries(_ attribute: NSDerivedAttributeDescription, _ pair: EntityPair) -> Bool {
        guard let before = pair.origins[attribute.name] as? NSDerivedAttributeDescription,
            let mapping = pair.after.attribute(attribute.name), let old = pair.before.attribute(before.name)
        else { return false }
        return mapping.derivation != nil && mapping.derivation == old.derivation && mapping.type == old.type
    }

    private static func leaf(of attribute: NSAttributeDescription, at path: [String]) -> NSAttributeDescription? {
        path.reduce(attribute as NSAttributeDescription?) { outer, name in
            (outer as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
        }
    }

    /// Returns the default value in its stored form; nil if the attribute has none of its type.
    private static func defaultValue(of attribute: NSAttributeDescription) -> SQLParameter? {
        guard let value = attribute.defaultValue, let cell = try? DerivedCell(accepting: value, of: attribute) else {
            return nil
        }
        let parameter = SQLParameter(cell)
        return parameter == .null ? nil : parameter
    }

    // MARK: Relationships

    private mutating func addReference(_ mapping: ToOneMapping, _ pair: EntityPair) {
        guard let relationship = pair.new.relationshipsByName[mapping.name] else { return }
        let before = (pair.origins[mapping.name] as? NSRelationshipDescription)
            .flatMap { pair.before.toOne($0.name) }
        let table = pair.before.table
        let inverse = relationship.inverseRelationship
        let origin = before == nil ? correspondence.origins(of: inverse).first : nil
        set(
            mapping.column, pair: pair,
            source: before.map { .column($0.column) } ?? origin?.owner(ofRowIn: table) ?? .null)
        if let number = mapping.entityColumn {
            addNumber(number, mapping: mapping, before: before, hasOrigin: origin != nil, pair: pair)
        }
        guard let order = mapping.orderColumn else { return }
        addPlace(order, key: mapping.column, before: before?.orderColumn ?? origin?.order(in: table), pair: pair)
    }

    /// Sets the source of the other end's entity number: the old number column if there is one; otherwise the number is
    /// looked up.
    private mutating func addNumber(
        _ column: String, mapping: ToOneMapping, before: ToOneMapping?, hasOrigin: Bool, pair: EntityPair
    ) {
        if let known = before?.entityColumn {
            return set(column, pair: pair, source: .number(known, correspondence.numbers))
        }
        set(column, pair: pair, source: .null)
        guard before != nil || hasOrigin, let target = correspondence.new.schema.entity(number: mapping.destination)
        else { return }
        let lookup = Lookup(key: mapping.column, number: column, table: target.table)
        if !lookups.contains(lookup) { lookups.append(lookup) }
    }

    private mutating func addForeignKey(_ mapping: ForeignKeyMapping, _ pair: EntityPair) {
        let owner = correspondence.new.schema.entity(number: mapping.owner)
            .flatMap { correspondence.new.entities[$0.name] }
        let origin = correspondence.origins(of: owner?.relationshipsByName[mapping.relationship]).first
        let table = pair.before.table
        set(mapping.column, pair: pair, source: origin?.owner(ofRowIn: table) ?? .null)
        guard let order = mapping.orderColumn else { return }
        addPlace(order, key: mapping.column, before: origin?.order(in: table), pair: pair)
    }

    private mutating func addPlace(_ column: String, key: String, before: String?, pair: EntityPair) {
        set(column, pair: pair, source: before.map { .column($0) } ?? .null)
        let place = Place(key: key, order: column)
        // Rows with a position keep it; only rows that refer to an owner without a position get one.
        if before == nil, !places.contains(place) { places.append(place) }
    }
}

extension LinkOrigin {
    /// Returns the column with the positions of a table's rows; nil if the links are not a foreign key of that table.
    fileprivate func order(in table: String) -> String? {
        guard case .foreignKey(table, _, let order) = self else { return nil }
        return order
    }
}
