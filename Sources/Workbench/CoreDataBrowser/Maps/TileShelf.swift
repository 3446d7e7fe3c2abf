import CoreData
import CoreDataViewing

/// The files of tiles that the browser offers as backgrounds of maps, each opened once.
package final class TileShelf: Sendable {
    private let files: [(url: URL, archive: Result<TileArchive, InspectionError>)]

    init(_ urls: [URL]) {
        files = urls.map { url in
            do { return (url, .success(try TileArchive(path: url.path))) } catch let error as InspectionError {
                return (url, .failure(error))
            } catch {
                return (
                    url, .failure(InspectionError(.unreadable, subject: url.path, cause: ErrorText.line(for: error)))
                )
            }
        }
    }

    /// Why files are not offered.
    package var problems: [InspectionError] {
        files.compactMap { if case .failure(let error) = $0.archive { error } else { nil } }
    }

    /// The archive at a place, from 0; nil for another place, and for a file that is not offered.
    subscript(place: Int) -> TileArchive? {
        files.indices.contains(place) ? try? files[place].archive.get() : nil
    }

    /// `{"layers": [{"id", "name", …}], "refused": [{"file", "reason"}]}`
    var json: JSONValue {
        let layers = files.enumerated().compactMap { place, file -> JSONValue? in
            guard case .success(let archive) = file.archive, case .members(let members) = archive.layer.json else {
                return nil
            }
            return .members([.init(key: "id", value: .string("\(place)"))] + members)
        }
        let refused = files.compactMap { file -> JSONValue? in
            guard case .failure(let error) = file.archive else { return nil }
            return .object([("file", .string(file.url.lastPathComponent)), ("reason", .string(error.cause))])
        }
        return .object([("layers", .array(layers)), ("refused", .array(refused))])
    }
}
