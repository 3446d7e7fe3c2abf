import CoreData

/// A property list with objects, written as the JSON that the import reads.
enum PropertyListFixture {
    /// Writes the file and returns its path.
    ///
    /// - Throws: `TestingError` with `badFixture`.
    static func json(_ file: URL, entity: String?, in folder: URL, number: Int) throws -> String {
        let list: Any
        do {
            list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        } catch {
            throw TestingError(
                .badFixture, "The property list '\(file.path)' cannot be read: \(error.localizedDescription)")
        }
        var objects: [[String: Any]] = []
        switch list {
        case let list as [[String: Any]]: objects = list
        case let groups as [String: [[String: Any]]]:
            for (entity, members) in groups.sorted(by: { $0.key < $1.key }) {
                objects += members.map { $0.merging(["entity": entity]) { own, _ in own } }
            }
        default:
            throw TestingError(
                .badFixture,
                "The property list '\(file.path)' has no objects: give it an array of dictionaries, or a "
                    + "dictionary with such an array for each entity.")
        }
        let values = objects.map { $0.mapValues(value) }
        // By its end the import knows the form, and messages name the file.
        let place = folder.appendingPathComponent("\(file.deletingPathExtension().lastPathComponent).json")
        let target =
            FileManager.default.fileExists(atPath: place.path)
            ? folder.appendingPathComponent("\(number)-\(place.lastPathComponent)") : place
        do {
            try JSONSerialization.data(withJSONObject: values).write(to: target)
        } catch {
            throw TestingError(
                .badFixture,
                "The property list '\(file.path)' has values that no attribute takes: "
                    + error.localizedDescription)
        }
        return target.path
    }

    /// A value as the import reads it: dates as seconds since 2001, data in base64.
    private static func value(_ value: Any) -> Any {
        switch value {
        case let date as Date: "@\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: data.base64EncodedString()
        case let list as [Any]: list.map(Self.value)
        case let values as [String: Any]: values.mapValues(Self.value)
        default: value
        }
    }
}
