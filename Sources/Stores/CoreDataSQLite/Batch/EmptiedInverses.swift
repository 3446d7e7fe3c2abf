import CoreDataSQL
import SQLiteKit

/// Finds rows that are not deleted and whose required relationships the deletion would empty.
extension CascadedRows {
    /// Throws `NSPersistentStoreSaveConflictsError` if the deletion would leave a row with too few objects in a
    /// required relationship; rows that are deleted themselves are ignored.
    func requireNoEmptiedInverse() throws {
        for plan in try plans() {
            for relationship in plan.layout.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
                guard let mandatory = MandatoryInverse(relationship),
                    let key = try keyOfEmptied(mandatory, by: plan)
                else { continue }
                throw mandatory.violation(key: key, deleting: plan.layout.entity)
            }
        }
    }

    private func keyOfEmptied(_ mandatory: MandatoryInverse, by plan: RowPlan) throws -> Int64? {
        let sql =
            mandatory.inverse.isToMany
            ? listOfShortened(mandatory, by: plan) : listOfReferring(mandatory, to: plan)
        return try sql.flatMap { try file.connection.rows($0 + " LIMIT 1").first?.first?.integer }
    }

    /// The query for the remaining rows whose required to-one relationship refers to a deleted row.
    private func listOfReferring(_ mandatory: MandatoryInverse, to plan: RowPlan) -> String? {
        let name = mandatory.relationship.name
        guard
            let reference = ReferenceToDeletedRows.all(to: plan, file).first(where: { $0.relationship == name }),
            let root = file.schema.entity(number: reference.destination)?.rootNumber
        else { return nil }
        return "SELECT t.Z_PK FROM (\(reference.query)) t WHERE " + Self.stays(root)
    }

    /// The query for the remaining rows that lose members of a required to-many relationship and keep too few.
    private func listOfShortened(_ mandatory: MandatoryInverse, by plan: RowPlan) -> String? {
        let ends = plan.ends(of: mandatory.relationship, file)
        guard let destination = mandatory.relationship.destinationEntity, let end = ends.first,
            let target = file.schema.entity(named: destination.name ?? ""),
            let back = file.plan(number: Int64(target.number))
        else { return nil }
        // Two deleted rows may be members of the same owner, which must count once.
        let owners = ends.map {
            "SELECT DISTINCT t.Z_PK AS key \($0.source) AND t.Z_ENT IN (\($0.family)) AND " + Self.stays(end.root)
        }.joined(separator: " UNION ")
        let members = back.ends(of: mandatory.inverse, file).map {
            "SELECT DISTINCT d.key AS owner, t.Z_PK AS member FROM (\(owners)) d \($0.join) WHERE "
                + Self.stays($0.root)
        }.joined(separator: " UNION ")
        guard !members.isEmpty else { return nil }
        return "SELECT o.key FROM (\(owners)) o LEFT JOIN (\(members)) m ON m.owner = o.key GROUP BY o.key "
            + "HAVING COUNT(m.member) < \(mandatory.minimum)"
    }

    /// The condition that a row `t` of an entity hierarchy is not deleted.
    private static func stays(_ root: Int) -> String {
        "NOT EXISTS (SELECT 1 FROM \(table) x WHERE x.root = \(root) AND x.key = t.Z_PK)"
    }
}
