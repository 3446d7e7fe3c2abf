import CoreData

/// A property list file in XML or binary form; changing the file keeps its form.
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

    /// Sets the value at a path, replacing the present one.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` if the path leads nowhere.
    package mutating func set(_ value: PropertyList, at path: PropertyListPath) throws {
        list = try list.replacing(path.steps[...], with: value, path)
    }

    /// Removes the value at a path.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` if the path does not exist.
    package mutating func remove(_ path: PropertyListPath) throws {
        _ = try list.value(at: path)
        list = try list.replacing(path.steps[...], with: nil, path)
    }

    /// Writes the file atomically in its form, with the permissions that it had.
    ///
    /// - Throws: `InspectionError` if the file cannot be written, or the list contains sets, which property lists
    ///   cannot store.
    package func write() throws {
        guard !list.hasSets else {
            throw InspectionError(
                .readOnly, subject: url.path, cause: "it has sets, which would become arrays",
                hint: "it is an archive rather than a list")
        }
        let data = form == .binary ? list.binaryData : Data(PropertyListMarkup.text(list).utf8)
        // A symbolic link is kept: the file that it leads to is replaced.
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
