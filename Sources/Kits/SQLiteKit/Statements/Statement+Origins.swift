import CSQLite

extension Statement {
    /// The name of a parameter with its prefix, such as `:name`; nil for an anonymous `?`.
    package func parameterName(_ index: Int) -> String? {
        sqlite3_bind_parameter_name(handle, Int32(clamping: index)).map { String(cString: $0) }
    }

    /// The table and column from which a result column is read; nil for an expression, and if SQLite was compiled
    /// without column metadata.
    package func origin(_ index: Int) -> (table: String, column: String)? {
        let index = Int32(clamping: index)
        guard let table = csqlite_column_table(handle, index), let column = csqlite_column_origin(handle, index) else {
            return nil
        }
        return (String(cString: table), String(cString: column))
    }
}
