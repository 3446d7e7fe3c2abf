extension Connection {
    /// Reads the catalog of the file, without SQLite's internal tables and automatic indexes.
    ///
    /// If `names` is not nil, reads the columns only of the tables in it; the names must be in upper case.
    package func catalog(columnsOf names: Set<String>? = nil) throws(SQLiteError) -> Catalog {
        var catalog = Catalog()
        let master = try prepare(
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' "
                + "ESCAPE '\\' ORDER BY rowid")
        while try master.step() {
            let item = Catalog.Item(
                name: master.text(1) ?? "", table: master.text(2) ?? "", sql: master.text(3) ?? "")
            switch master.text(0) {
            case "table":
                let isVirtual = item.sql.uppercased().hasPrefix("CREATE VIRTUAL")
                catalog.tables.append(.init(name: item.name, sql: item.sql, isVirtual: isVirtual))
            case "index": catalog.indexes.append(item)
            case "trigger": catalog.triggers.append(item)
            case "view": catalog.views.append(item)
            default: break
            }
        }
        for (index, table) in catalog.tables.enumerated() where !table.isVirtual {
            guard names?.contains(table.name.uppercased()) ?? true else { continue }
            catalog.tables[index].columns = try columns(ofTable: table.name)
        }
        return catalog
    }

    private func columns(ofTable name: String) throws(SQLiteError) -> [Catalog.Column] {
        let statement = try prepare("SELECT name, type, hidden, pk, dflt_value FROM pragma_table_xinfo(?) ORDER BY cid")
        try statement.bind(name, at: 1)
        var columns: [Catalog.Column] = []
        while try statement.step() {
            columns.append(
                .init(
                    name: statement.text(0) ?? "", declaredType: statement.text(1) ?? "",
                    isGenerated: statement.int64(2) != 0, isKey: statement.int64(3) != 0,
                    defaultText: statement.text(4)))
        }
        return columns
    }
}
