import CSwiftRuntime
import CoreDataModeling

/// Describes the process in a trace: its number and name, when the recording began, and the load addresses of its
/// binaries.
enum ProcessNote {
    static func json(options: InstrumentOptions) -> [UInt8] {
        let note: [String: Any] = [
            "pid": Int(getpid()), "name": ProcessInfo.processInfo.processName,
            "started": Date().timeIntervalSince1970, "clock": NSNumber(value: coredata_monotonic_time()),
            "values": options.includesValues, "images": images(),
        ]
        return (try? JSONSerialization.data(withJSONObject: note, options: [.sortedKeys])).map(Array.init) ?? []
    }

    private final class Images {
        var list: [[String: Any]] = []
    }

    private static func images() -> [[String: Any]] {
        let found = Images()
        coredata_visit_images(
            { image, context in
                guard let context else { return }
                let list = Unmanaged<Images>.fromOpaque(context).takeUnretainedValue()
                list.list.append(ProcessNote.note(image.pointee))
            }, Unmanaged.passUnretained(found).toOpaque())
        return found.list
    }

    private static func note(_ image: coredata_image) -> [String: Any] {
        let path = String(cString: image.path)
        var note: [String: Any] = [
            "path": path.isEmpty ? Bundle.main.executablePath ?? "" : path, "base": NSNumber(value: image.base),
            "size": NSNumber(value: image.size),
        ]
        if let id = image.build_id, image.build_id_size > 0 {
            let bytes = UnsafeBufferPointer(start: id, count: min(Int(image.build_id_size), 64))
            note["id"] = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        return note
    }
}
