import Foundation

extension StringTables {
    /// Reads the tables of a folder: `.strings` and `.stringsdict` files in folders such as `de.lproj`, and string catalogs
    /// (`.xcstrings`) in the folder itself.
    ///
    /// Where a key is in several files of a table, the catalog's text counts, then that of the `.stringsdict`, then that of the
    /// `.strings`. Folders whose names are not languages, other than `Base.lproj`, and all other files are left out.
    ///
    /// - Throws: `StringTableError` of the first file that cannot be read, with its path in the folder.
    public init(folder: URL, developmentLanguage: String = "en") throws {
        self.init(developmentLanguage: developmentLanguage)
        let names = try Self.names(in: folder)
        for name in names where name.lowercased().hasSuffix(".lproj") {
            let language = String(name.dropLast(6))
            guard language == "Base" || LanguageTag(language) != nil else { continue }
            let inner = folder.appendingPathComponent(name)
            let files = try Self.names(in: inner)
            for file in files where file.hasSuffix(".strings") {
                let data = try Self.contents(of: inner.appendingPathComponent(file), "\(name)/\(file)")
                try Self.naming("\(name)/\(file)") {
                    try add(strings: data, language: language, table: String(file.dropLast(8)))
                }
            }
            for file in files where file.hasSuffix(".stringsdict") {
                let data = try Self.contents(of: inner.appendingPathComponent(file), "\(name)/\(file)")
                try Self.naming("\(name)/\(file)") {
                    try add(stringsdict: data, language: language, table: String(file.dropLast(12)))
                }
            }
        }
        for name in names where name.hasSuffix(".xcstrings") {
            let data = try Self.contents(of: folder.appendingPathComponent(name), name)
            try Self.naming(name) { try add(catalog: data, table: String(name.dropLast(10))) }
        }
    }

    private static func names(in folder: URL) throws -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } catch {
            throw StringTableError(.unreadable, file: folder.lastPathComponent, "The folder cannot be read.")
        }
    }

    private static func contents(of file: URL, _ name: String) throws -> Data {
        do { return try Data(contentsOf: file) } catch {
            throw StringTableError(.unreadable, file: name, "The file cannot be read.")
        }
    }

    private static func naming(_ file: String, _ body: () throws -> Void) throws {
        do { try body() } catch var error as StringTableError {
            error.file = file
            throw error
        }
    }
}
