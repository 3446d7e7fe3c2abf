import CSQLite

extension Statement {
    /// The name of a parameter with the character that it begins with, as `:name`; nil for a bare `?`.
    package func parameterName(_ index: Int) -> String? {
        sqlite3_bind_parameter_name(handle, Int32(clamping: index)).map { String(cString: $0) }
    }

    /// The table and the column that a result's column is read from; nil for what is calculated, and where the library was
    /// built without that knowledge.
    package func origin(_ index: Int) -> (table: String, column: String)? {
        let index = Int32(clamping: index)
        guard let table = csqlite_column_table(handle, index), let column = csqlite_column_origin(handle, index) else {
            return nil
        }
        return (String(cString: table), String(cString: column))
    }
}
