import CoreData

extension Trace.Subject {
    /// Reads the JSON of a process block; values that are missing or of a wrong type become empty, 0 or false.
    init(_ bytes: Data) {
        guard let note = (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any] else { return }
        number = note["pid"] as? Int ?? 0
        name = note["name"] as? String ?? ""
        started = Date(timeIntervalSince1970: note["started"] as? Double ?? 0)
        clock = (note["clock"] as? NSNumber)?.uint64Value ?? 0
        hasValues = note["values"] as? Bool ?? false
        images = (note["images"] as? [[String: Any]] ?? []).compactMap { image in
            guard let path = image["path"] as? String, let base = image["base"] as? NSNumber,
                let size = image["size"] as? NSNumber
            else { return nil }
            return Trace.Image(
                path: path, base: base.uint64Value, size: size.uint64Value, buildID: image["id"] as? String)
        }
    }
}
