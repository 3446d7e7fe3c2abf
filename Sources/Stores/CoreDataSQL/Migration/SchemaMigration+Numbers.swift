import CoreDataStore

/// Checks of the numbers whose type changes.
extension SchemaMigration {
    /// The SQL function that converts a number, given the raw values of the old and the new type; null for a number
    /// that does not fit.
    package static let converting = ColumnSource.converting

    /// An old column whose numbers must be checked.
    private struct Column: Hashable {
        let table: String
        let name: String
        let conversion: NumberConversion
    }

    /// An entity with rows in the column, the name of the new entity that declares the attribute, and the attribute's
    /// name.
    private struct Owner {
        let pair: EntityPair
        let entity: String
        let attribute: String
    }

    /// Queries for numbers in the old tables that do not fit their new types; they run before anything is changed.
    var numberChecks: [MigrationStep] {
        var columns: [Column] = []
        var found: [Column: [Owner]] = [:]
        for pair in correspondence.kept {
            for (column, owner) in checkedColumns(of: pair) {
                if found[column] == nil { columns.append(column) }
                found[column, default: []].append(owner)
            }
        }
        return columns.map { check($0, found[$0] ?? []) }
    }

    private func checkedColumns(of pair: EntityPair) -> [(Column, Owner)] {
        pair.new.attributesByName.values.sorted { $0.name < $1.name }.flatMap { new -> [(Column, Owner)] in
            guard new.isStored, !(new is NSDerivedAttributeDescription),
                let old = pair.origins[new.name] as? NSAttributeDescription
            else { return [] }
            return CompositeMatching.conversions(of: new, from: old).compactMap { origin, path, conversion in
                guard conversion.mayRefuse,
                    let mapping = pair.before.attributes.first(where: {
                        $0.name == old.name && $0.elementPath == origin.path
                    })
                else { return nil }
                let column = Column(table: pair.before.table, name: mapping.column, conversion: conversion)
                return (
                    column,
                    Owner(
                        pair: pair, entity: new.entity?.name ?? pair.after.name,
                        attribute: ([new.name] + path).joined(separator: "."))
                )
            }
        }
    }

    /// Returns the check of one column, in the rows of all entities that store the attribute there.
    private func check(_ column: Column, _ owners: [Owner]) -> MigrationStep {
        let q = SQLIdentifier.quoted
        let numbers = owners.map(\.pair.before.number).sorted().map(String.init).joined(separator: ", ")
        let isAlone = owners.count == 1 && owners[0].pair.before.isAloneInTable
        let condition = isAlone ? "" : " AND Z_ENT IN (\(numbers))"
        let names = owners.map { (Int64($0.pair.before.number), $0.pair.before.name) }
        return MigrationStep(
            .checkNumbers, subject: owners.first?.entity ?? "",
            text: SQLText(
                "SELECT count(*) OVER (), Z_PK, Z_ENT FROM \(q(column.table)) "
                    + "WHERE (\(correspondence.dialect.misfits(q(column.name), column.conversion)))\(condition) "
                    + "ORDER BY Z_PK LIMIT \(NumberMisfits.namedRows)"),
            properties: [owners.first?.attribute ?? ""],
            numbers: .init(
                conversion: column.conversion, entities: Dictionary(names, uniquingKeysWith: { first, _ in first })))
    }
}
