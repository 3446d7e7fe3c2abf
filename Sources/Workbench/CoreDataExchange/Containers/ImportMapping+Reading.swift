import CoreData

extension ImportMapping {
    /// Reads a mapping from a property list file.
    ///
    /// - Throws: ``ImportError`` of code `invalidMapping` that names the key which is wrong, or `unreadable`.
    public init(contentsOf file: URL) throws {
        do { try self.init(file: file.path) } catch { throw ImportError.from(error, .invalidMapping) }
    }

    /// Reads a mapping from a property list, in any of its formats.
    ///
    /// - Throws: ``ImportError`` of code `invalidMapping` that names the key which is wrong.
    public init(propertyList data: Data) throws {
        do { try self.init(propertyList: data, named: "mapping") } catch {
            throw ImportError.from(error, .invalidMapping)
        }
    }
}
