extension StoreSchema {
    /// Returns the schema with table and column names of at most `length` bytes, for databases that silently truncate
    /// longer ones.
    ///
    /// A longer name becomes its beginning and a hash of the complete name. Names of indexes stay.
    package func shortened(to length: Int) -> StoreSchema {
        var renaming = SchemaRenaming()
        for table in tables {
            renaming.tables[table.name] = Self.shortened(table.name, to: length)
            for column in table.columns {
                renaming.columns[table.name, default: [:]][column.name] = Self.shortened(column.name, to: length)
            }
        }
        return renamed(renaming)
    }

    /// Returns a name of at most `length` bytes: the name itself, or its beginning with a hash of the complete name.
    package static func shortened(_ name: String, to length: Int) -> String {
        guard name.utf8.count > length else { return name }
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16, uppercase: true)
        let end = "_" + String(repeating: "0", count: 16 - digits.count) + digits
        var start = ""
        for character in name.unicodeScalars {
            guard start.utf8.count + UTF8.width(character) + end.utf8.count <= length else { break }
            start.unicodeScalars.append(character)
        }
        return start + end
    }
}
