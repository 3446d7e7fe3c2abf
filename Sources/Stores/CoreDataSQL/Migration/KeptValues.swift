import CoreDataStore

/// Preserves values that a migration would lose, in a table, and restores values that an earlier migration has
/// preserved.
struct KeptValues {
    let correspondence: StoredCorrespondence
    /// The properties of which the file has preserved values.
    let present: Set<KeptValueTable.Item>

    private static let table = KeptValueTable.name
    private static func q(_ name: String) -> String { SQLIdentifier.quoted(name) }

    // MARK: Keeping

    /// The steps that copy every value without a counterpart in the new model to the table, before the old tables are
    /// changed.
    var keeping: [MigrationStep] {
        let values =
            correspondence.kept.flatMap { pair in
                let carried = Set(pair.origins.filter { isCarried($0, pair) }.map(\.value.name))
                return keeping(pair.before, without: carried, dropped: droppedElements(pair))
                    + keepingLinks(of: pair.before, carried)
            }
            + correspondence.dropped.flatMap { entity in
                [keep(entity, KeptValueTable.wholeRow, value: "Z_OPT", from: entity.table, entity: entity)]
                    + keeping(entity, without: [], dropped: [])
            }
        guard !values.isEmpty else { return [] }
        return [MigrationStep(.bookkeeping, subject: Self.table, sql: dialect.keptValueTable)] + values
    }

    private var dialect: any MigrationDialect { correspondence.dialect }

    /// The key of a preserved value; a new value with the same key replaces it.
    private static let key = ["ENTITY", "PROPERTY", "ROWKEY", "MEMBERKEY"]

    private func isCarried(_ origin: (key: String, value: NSPropertyDescription), _ pair: EntityPair) -> Bool {
        pair.new.propertiesByName[origin.key]?.isStored ?? false
    }

    /// Returns the elements that were removed from composite attributes that the new model keeps, as
    /// `attribute.element`.
    private func droppedElements(_ pair: EntityPair) -> Set<String> {
        var dropped: Set<String> = []
        for (key, origin) in pair.origins {
            guard let before = origin as? NSCompositeAttributeDescription,
                let after = pair.new.attributesByName[key]
            else { continue }
            let kept = Set(CompositeMatching.origins(of: after, in: before).values.map(\.path))
            for leaf in CompositeMatching.leaves(of: before) where !kept.contains(leaf.path) {
                dropped.insert("\(before.name).\(leaf.name)")
            }
        }
        return dropped
    }

    private func keeping(
        _ entity: EntityMapping, without carried: Set<String>, dropped: Set<String>
    ) -> [MigrationStep] {
        let lost = entity.attributes.filter { attribute in
            attribute.derivation == nil
                && (!carried.contains(attribute.name)
                    || dropped.contains(([attribute.name] + attribute.elementPath).joined(separator: ".")))
        }
        let attributes = lost.map {
            // The value is kept without its storage marker: the attribute to which a later migration restores it may
            // or may not allow external storage.
            let column = Self.q($0.column)
            let isMarked = $0.allowsExternalStorage && dialect.marksLargeValues
            let value = isMarked ? ColumnSource.formed(column, .plain) : column
            return keep(
                entity, name($0, of: entity), column: column, value: value, from: entity.table, entity: entity)
        }
        let toOnes = entity.toOnes.filter { !carried.contains($0.name) }.map {
            keep(
                entity, canonicalName($0.name, of: entity), value: Self.q($0.column), from: entity.table, entity: entity
            )
        }
        let toManys = entity.toManys.filter { !carried.contains($0.name) }.compactMap { keep($0, of: entity) }
        return attributes + toOnes + toManys
    }

    /// Returns the steps that preserve links to dropped rows, for relationships that the new model keeps.
    private func keepingLinks(of entity: EntityMapping, _ carried: Set<String>) -> [MigrationStep] {
        let toOnes = entity.toOnes.filter { carried.contains($0.name) }.compactMap { toOne -> MigrationStep? in
            guard let gone = droppedRows(toOne.destination) else { return nil }
            return keep(
                entity, canonicalName(toOne.name, of: entity), value: Self.q(toOne.column), from: entity.table,
                entity: entity,
                where: " AND \(Self.q(toOne.column)) IN (\(gone))")
        }
        let toManys = entity.toManys.filter { carried.contains($0.name) }.compactMap { toMany in
            droppedRows(toMany.destination).flatMap { keep(toMany, of: entity, where: " AND c2 IN (\($0))") }
        }
        return toOnes + toManys
    }

    /// Returns the query for the keys of dropped rows of an entity and its subentities; nil if there are no such rows.
    private func droppedRows(_ number: Int) -> String? {
        guard let destination = correspondence.old.schema.entity(number: number) else { return nil }
        let gone = correspondence.dropped.map(\.number).filter(destination.familyNumbers.contains)
        guard !gone.isEmpty else { return nil }
        let condition =
            destination.isAloneInTable ? "" : " WHERE Z_ENT IN (\(gone.map(String.init).joined(separator: ", ")))"
        return "SELECT Z_PK FROM \(Self.q(destination.table))\(condition)"
    }

    private func name(_ attribute: AttributeMapping, of entity: EntityMapping) -> String {
        let description = correspondence.old.entities[entity.name]?.attributesByName[attribute.name]
        let path = description.map { CompositeMatching.canonicalPath(of: attribute.elementPath, in: $0) }
        return ([canonicalName(attribute.name, of: entity)] + (path ?? attribute.elementPath)).joined(separator: ".")
    }

    /// The name under which the table records an entity: its renaming identifier, which all model versions share, or
    /// its name.
    private func canonicalName(_ entity: EntityMapping) -> String {
        correspondence.old.entities[entity.name]?.declaredRenamingIdentifier ?? entity.name
    }

    private func canonicalName(_ property: String, of entity: EntityMapping) -> String {
        correspondence.old.entities[entity.name]?.propertiesByName[property]?.declaredRenamingIdentifier ?? property
    }

    /// Returns the step that preserves the values of a column of the entity's rows.
    private func keep(
        _ owner: EntityMapping, _ property: String, column: String? = nil, value: String, from table: String,
        entity: EntityMapping, where restriction: String = ""
    ) -> MigrationStep {
        let present = column ?? value
        let condition = entity.isAloneInTable ? "" : " AND Z_ENT = \(entity.number)"
        let rule = dialect.rule(.replacing(key: Self.key, value: "VALUE"))
        return MigrationStep(
            .copyRows, subject: property.isEmpty ? owner.name : "\(owner.name).\(property)",
            text: SQLText(
                "\(rule.verb) INTO \(Self.table) (ENTITY, ROWKEY, PROPERTY, MEMBERKEY, VALUE) "
                    + "SELECT ?, Z_PK, ?, 0, \(dialect.kept(value)) FROM \(Self.q(table)) "
                    + "WHERE \(present) IS NOT NULL\(condition)\(restriction)\(rule.end)",
                [.text(canonicalName(owner)), .text(property)]), rowsOf: table)
    }

    /// Returns the step that preserves the links of a to-many relationship; nil if they are keys of a to-one inverse,
    /// which is preserved itself.
    private func keep(
        _ toMany: ToManyMapping, of entity: EntityMapping, where restriction: String = ""
    ) -> MigrationStep? {
        let pairs: String
        switch toMany.storage {
        case .foreignKey(let key):
            guard toMany.inverse == nil else { return nil }
            pairs = LinkOrigin.foreignKey(table: key.table, column: key.column, order: key.orderColumn).pairs
        case .join(let join):
            pairs =
                LinkOrigin.join(
                    table: join.table, own: join.ownColumn, other: join.otherColumn, order: join.orderColumn,
                    inverseOrder: nil
                ).pairs
        }
        let rule = dialect.rule(.replacing(key: Self.key, value: "VALUE"))
        return MigrationStep(
            .copyRows, subject: "\(entity.name).\(toMany.name)",
            text: SQLText(
                "WITH l(c1, c2, c3, c4) AS (\(pairs)) \(rule.verb) INTO \(Self.table) "
                    + "(ENTITY, ROWKEY, PROPERTY, MEMBERKEY, VALUE) SELECT ?, c1, ?, c2, \(dialect.kept("c3")) FROM l "
                    + "WHERE c1 IN (SELECT Z_PK FROM \(Self.q(entity.table)) WHERE Z_ENT = \(entity.number))"
                    + "\(restriction)\(rule.end)",
                [.text(canonicalName(entity)), .text(canonicalName(toMany.name, of: entity))]), rowsOf: entity.table)
    }

    // MARK: Putting back

    /// The steps that give rows and properties without an old counterpart their preserved values, once all tables
    /// exist.
    var restoring: [MigrationStep] {
        guard !present.isEmpty else { return [] }
        let pairs = Dictionary(
            correspondence.kept.map { ($0.after.name, $0) }, uniquingKeysWith: { first, _ in first })
        var (rows, values, links): ([MigrationStep], [MigrationStep], [MigrationStep]) = ([], [], [])
        for mapping in correspondence.new.schema.entities where !mapping.isAbstract {
            guard let entity = correspondence.new.entities[mapping.name] else { continue }
            let pair = pairs[mapping.name]
            let names = Self.names(entity.name, entity.declaredRenamingIdentifier)
            if pair == nil, let item = item(names, [KeptValueTable.wholeRow]) { rows += restoreRows(mapping, item) }
            for property in entity.properties where property.isStored {
                let aliases = Self.names(property.name, property.declaredRenamingIdentifier)
                let origin = pair?.origins[property.name]
                if origin == nil || property is NSCompositeAttributeDescription {
                    let known = Self.knownElements(property, origin)
                    values += restoreAttribute(
                        property, aliases: aliases, entities: names, mapping: mapping, without: known)
                }
                if property is NSRelationshipDescription, let item = item(names, aliases) {
                    links += restoreLinks(property.name, item: item, mapping: mapping)
                }
            }
        }
        return rows + values + links
    }

    private static func names(_ name: String?, _ identifier: String?) -> [String] {
        [identifier, name].compactMap(\.self)
    }

    /// Returns the preserved property that is recorded under one of these names; nil if there is none.
    private func item(_ entities: [String], _ properties: [String]) -> KeptValueTable.Item? {
        for entity in entities {
            for property in properties {
                let item = KeptValueTable.Item(entity: entity, property: property)
                if present.contains(item) { return item }
            }
        }
        return nil
    }

    private func restoreRows(_ mapping: EntityMapping, _ item: KeptValueTable.Item) -> [MigrationStep] {
        let table = Self.q(mapping.table)
        let rule = dialect.rule(.ignoring(key: ["Z_PK"]))
        let version = dialect.restored("VALUE", .integer)
        return [
            MigrationStep(
                .copyRows, subject: mapping.name,
                text: SQLText(
                    "\(rule.verb) INTO \(table) (Z_PK, Z_ENT, Z_OPT) SELECT ROWKEY, \(mapping.number), \(version) "
                        + "FROM \(Self.table) WHERE ENTITY = ? AND PROPERTY = ?\(rule.end)",
                    Self.parameters(item))),
            forget(item, mapping.name),
            MigrationStep(
                .bookkeeping, subject: mapping.name,
                sql:
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(dialect.greatest)(Z_MAX, coalesce((SELECT max(Z_PK) FROM \(table)), 0)) "
                    + "WHERE Z_ENT = \(mapping.rootNumber)"),
        ]
    }

    /// Returns the paths of the new composite's elements that existed in the old model.
    private static func knownElements(_ property: NSPropertyDescription, _ origin: NSPropertyDescription?) -> Set<
        [String]
    > {
        guard let after = property as? NSCompositeAttributeDescription, let before = origin as? NSAttributeDescription
        else { return [] }
        return Set(CompositeMatching.origins(of: after, in: before).keys)
    }

    private func restoreAttribute(
        _ property: NSPropertyDescription, aliases: [String], entities: [String], mapping: EntityMapping,
        without known: Set<[String]>
    ) -> [MigrationStep] {
        let open = mapping.attributes.filter {
            $0.name == property.name && $0.derivation == nil && !known.contains($0.elementPath)
        }
        return open.flatMap { attribute -> [MigrationStep] in
            let path = attribute.elementPath
            let canonical = (property as? NSAttributeDescription)
                .map { CompositeMatching.canonicalPath(of: path, in: $0) }
            let paths = [canonical, path].compactMap { $0?.map { ".\($0)" }.joined() }
            guard let item = item(entities, aliases.flatMap { alias in paths.map { alias + $0 } }) else { return [] }
            let isMarked = attribute.allowsExternalStorage && dialect.marksLargeValues
            let value =
                isMarked ? ColumnSource.formed("v.VALUE", .marked) : dialect.restored("v.VALUE", attribute.columnType)
            return [restore(attribute.column, item: item, mapping: mapping, value: value), forget(item, mapping.name)]
        }
    }

    /// Returns the step that sets a column of the entity's rows to the preserved values.
    private func restore(
        _ column: String, item: KeptValueTable.Item, mapping: EntityMapping, value: String,
        where restriction: String = ""
    ) -> MigrationStep {
        let table = Self.q(mapping.table)
        return MigrationStep(
            .updateRows, subject: "\(mapping.name).\(item.property)",
            text: SQLText(
                "UPDATE \(table) SET \(Self.q(column)) = \(value) FROM \(Self.table) v WHERE v.ENTITY = ? AND v.PROPERTY = ? "
                    + "AND v.ROWKEY = \(table).Z_PK AND \(table).Z_ENT = \(mapping.number)\(restriction)",
                Self.parameters(item)))
    }

    private func restoreLinks(
        _ name: String, item: KeptValueTable.Item, mapping: EntityMapping
    ) -> [MigrationStep] {
        let schema = correspondence.new.schema
        if let toOne = mapping.toOne(name), let target = schema.entity(number: toOne.destination) {
            // A reference that is not null stays as it is.
            let isFree = " AND \(Self.q(mapping.table)).\(Self.q(toOne.column)) IS NULL"
            let key = dialect.restored("v.VALUE", .integer)
            return [
                restore(toOne.column, item: item, mapping: mapping, value: key, where: isFree),
                forget(item, mapping.name),
            ]
                + completion(of: toOne, in: mapping, to: target)
        }
        guard let toMany = mapping.toMany(name), let target = schema.entity(number: toMany.destination) else {
            return []
        }
        let ends =
            "EXISTS (SELECT 1 FROM \(Self.q(mapping.table)) o WHERE o.Z_PK = v.ROWKEY) "
            + "AND EXISTS (SELECT 1 FROM \(Self.q(target.table)) m WHERE m.Z_PK = v.MEMBERKEY)"
        switch toMany.storage {
        case .join(let join):
            var columns = [(join.ownColumn, "v.ROWKEY"), (join.otherColumn, "v.MEMBERKEY")]
            if let order = join.orderColumn { columns.append((order, dialect.restored("v.VALUE", .integer))) }
            let rule = dialect.rule(.ignoring(key: [join.ownColumn, join.otherColumn]))
            let insertion = SQLText(
                "\(rule.verb) INTO \(Self.q(join.table)) (\(columns.map { Self.q($0.0) }.joined(separator: ", "))) "
                    + "SELECT \(columns.map(\.1).joined(separator: ", ")) FROM \(Self.table) v "
                    + "WHERE v.ENTITY = ? AND v.PROPERTY = ? AND \(ends)\(rule.end)", Self.parameters(item))
            return [
                MigrationStep(.copyRows, subject: "\(mapping.name).\(name)", text: insertion),
                forget(item, mapping.name),
            ]
        case .foreignKey(let key):
            guard toMany.inverse == nil else { return [] }
            let order =
                key.orderColumn.map { ", \(Self.q($0)) = \(dialect.restored("v.VALUE", .integer))" } ?? ""
            let update = SQLText(
                "UPDATE \(Self.q(key.table)) SET \(Self.q(key.column)) = v.ROWKEY\(order) FROM \(Self.table) v "
                    + "WHERE v.ENTITY = ? AND v.PROPERTY = ? AND v.MEMBERKEY = \(Self.q(key.table)).Z_PK "
                    + "AND \(Self.q(key.table)).\(Self.q(key.column)) IS NULL AND \(ends)",
                Self.parameters(item))
            return [
                MigrationStep(.updateRows, subject: "\(mapping.name).\(name)", text: update),
                forget(item, mapping.name),
            ]
        }
    }

    /// Returns the steps that follow: references to rows that no longer exist become null, and the destinations' entity
    /// numbers and the positions are set, as they are not preserved.
    private func completion(
        of toOne: ToOneMapping, in mapping: EntityMapping, to target: EntityMapping
    ) -> [MigrationStep] {
        let (table, key) = (Self.q(mapping.table), Self.q(toOne.column))
        let family = target.familyNumbers.map(String.init).joined(separator: ", ")
        var steps = [
            MigrationStep(
                .updateRows, subject: "\(mapping.name).\(toOne.name)",
                sql: "UPDATE \(table) SET \(key) = NULL WHERE \(key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
                    + "\(Self.q(target.table)) d WHERE d.Z_PK = \(table).\(key) AND d.Z_ENT IN (\(family)))")
        ]
        if let number = toOne.entityColumn {
            steps.append(
                MigrationStep(
                    .updateRows, subject: "\(mapping.name).\(toOne.name)",
                    sql: "UPDATE \(table) SET \(Self.q(number)) = (SELECT d.Z_ENT FROM \(Self.q(target.table)) d "
                        + "WHERE d.Z_PK = \(table).\(key)) WHERE \(key) IS NOT NULL"))
        }
        if let order = toOne.orderColumn {
            steps.append(
                Placing(table: mapping.table, owner: toOne.column, member: "Z_PK", order: order, isJoin: false)
                    .step(mapping.name))
        }
        return steps
    }

    /// Returns the step that deletes the property's preserved values: they have been restored, or their rows no longer
    /// exist.
    private func forget(_ item: KeptValueTable.Item, _ subject: String) -> MigrationStep {
        MigrationStep(
            .bookkeeping, subject: subject,
            text: SQLText("DELETE FROM \(Self.table) WHERE ENTITY = ? AND PROPERTY = ?", Self.parameters(item)))
    }

    private static func parameters(_ item: KeptValueTable.Item) -> [SQLParameter] {
        [.text(item.entity), .text(item.property)]
    }
}
