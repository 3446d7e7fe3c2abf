import CoreDataSQL
import SQLiteKit

/// Writes the links of many-to-many relationships and of to-many relationships without inverse.
struct LinkWriter {
    let file: StoreFile

    func write(_ link: SavePlan.LinkChange) throws {
        let mapping = try file.mapping(of: link.owner.binding.layout)
        guard let toMany = mapping.toMany(link.relationship.name) else { return }
        try file.connection.execute(
            Self.statement(toMany.storage, isRemoval: link.isRemoval, owner: mapping.number),
            [.integer(link.owner.key), .integer(link.member.key)])
    }

    /// Returns the statement for a link; parameters: the owner's key and the member's key.
    private static func statement(_ storage: ToManyMapping.Storage, isRemoval: Bool, owner: Int) -> String {
        let quoted = SQLIdentifier.quoted
        switch (storage, isRemoval) {
        case (.join(let join), false):
            return
                "INSERT OR IGNORE INTO \(quoted(join.table)) (\(quoted(join.ownColumn)), \(quoted(join.otherColumn))) "
                + "VALUES (?, ?)"
        case (.join(let join), true):
            return "DELETE FROM \(quoted(join.table)) WHERE \(quoted(join.ownColumn)) = ? "
                + "AND \(quoted(join.otherColumn)) = ?"
        case (.foreignKey(let key), false):
            let entity = key.entityColumn.map { ", \(quoted($0)) = \(owner)" } ?? ""
            return "UPDATE \(quoted(key.table)) SET \(quoted(key.column)) = ?\(entity) WHERE Z_PK = ?"
        case (.foreignKey(let key), true):
            // Only removes the member from this owner: the same save may have added it to another.
            return "UPDATE \(quoted(key.table)) SET \(quoted(key.column)) = NULL "
                + "WHERE \(quoted(key.column)) = ? AND Z_PK = ?"
        }
    }
}
