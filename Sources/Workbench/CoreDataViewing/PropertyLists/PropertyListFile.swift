import CoreData

/// A file with a property list, in XML or binary form, which it keeps when it is changed.
package struct PropertyListFile {
    package enum Form: String, Sendable {
        case xml
        case binary
    }

    private static let greatestSize = 64 << 20

    package let url: URL
    package let form: Form
    package private(set) var list: PropertyList

    /// Reads a file; its size, depth and number of values are bounded.
    ///
    /// - Throws: `InspectionError` of code `unreadable`.
    package init(at url: URL) throws {
        self.url = url
        guard let status = FileStatus(url.path), status.isRegular else {
            throw InspectionError(.unreadable, subject: url.path, cause: "there is no such file")
        }
        guard status.size <= Self.greatestSize else {
            throw InspectionError(
                .unreadable, subject: url.path, cause: "it has more than \(Self.greatestSize >> 20) megabytes")
        }
        do {
            let data = try Data(contentsOf: url)
            form = data.starts(with: Array("bplist".utf8)) ? .binary : .xml
            list = form == .binary ? try PropertyList(binary: data) : try XMLPropertyList.list(data)
        } catch {
            throw InspectionError(
                .unreadable, subject: url.path, cause: "it is not a property list: \(ErrorText.line(for: error))")
        }
    }

    /// Puts a value at a path, in place of what is there.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` where the path leads nowhere.
    package mutating func set(_ value: PropertyList, at path: PropertyListPath) throws {
        list = try list.replacing(path.steps[...], with: value, path)
    }

    /// Takes a value away.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` where there is none.
    package mutating func remove(_ path: PropertyListPath) throws {
        _ = try list.value(at: path)
        list = try list.replacing(path.steps[...], with: nil, path)
    }

    /// Writes the file in its form; it is the old or the new one at any time, with the permissions that it had.
    ///
    /// - Throws: `InspectionError` where it cannot be written, or has values that its form cannot keep.
    package func write() throws {
        guard !list.hasSets else {
            throw InspectionError(
                .readOnly, subject: url.path, cause: "it has sets, which would become arrays",
                hint: "it is an archive rather than a list")
        }
        let data = form == .binary ? list.binaryData : Data(PropertyListMarkup.text(list).utf8)
        // A link stays one.
        let place = url.resolvingSymlinksInPath()
        let temporary = place.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).writing")
        var status = stat()
        let mode = stat(place.path, &status) == 0 ? status.st_mode & 0o777 : 0o644
        do {
            try data.write(to: temporary)
            guard chmod(temporary.path, mode) == 0, rename(temporary.path, place.path) == 0 else {
                throw InspectionError(.unreadable, subject: url.path, cause: String(cString: strerror(errno)))
            }
        } catch {
            unlink(temporary.path)
            throw InspectionError(
                .readOnly, subject: url.path, cause: "it cannot be written: \(ErrorText.line(for: error))")
        }
    }
}
