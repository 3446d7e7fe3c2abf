/// A keyed archive as a list of objects that refer to each other. No class is instantiated; class names are texts.
///
/// References are resolved one at a time, so cycles are harmless here; callers that follow references must bound the
/// depth. Source of the layout: archives of `NSKeyedArchiver`, version 100000.
package struct KeyedArchive: Sendable {
    /// The index of an object in the archive's list of objects.
    package struct Reference: Hashable, Sendable {
        package let index: Int
    }

    /// An archived instance: the names of its class and of the classes above it, and its fields.
    package struct Object: Sendable {
        package let reference: Reference
        package let classNames: [String]
        package let fields: [String: PropertyList]

        package var className: String { classNames[0] }
    }

    package let objects: [PropertyList]
    package let top: [String: PropertyList]

    /// Reads an archive.
    ///
    /// - Throws: `ArchiveError` as the property list reader does, and `.malformed` if the list is not an archive.
    package init(_ data: Data, limits: PropertyListLimits = PropertyListLimits()) throws {
        try self.init(PropertyList(binary: data, limits: limits))
    }

    /// Makes an archive of a property list that has been read already.
    ///
    /// - Throws: `ArchiveError` if the list is not an archive.
    package init(_ list: PropertyList) throws {
        guard let plist = list.dictionary, let archiver = plist["$archiver"]?.string,
            let objects = plist["$objects"]?.array,
            let top = plist["$top"]?.dictionary
        else { throw ArchiveError(.malformed, "the property list is not a keyed archive") }
        guard archiver.hasSuffix("KeyedArchiver"), plist["$version"]?.integer == 100_000 else {
            throw ArchiveError(
                .unsupportedForm, "the archive was written by '\(archiver)' in a version that is not known")
        }
        self.objects = objects
        self.top = top
    }

    /// The value under `root` in the archive's `$top`, usually a reference; `null` if it is missing.
    package var root: PropertyList { top["root"] ?? .null }

    /// The object to which a value refers, or the value itself if it is not a reference.
    ///
    /// Returns `null` for a reference outside the archive, for the archive's nil and for a reference to a reference.
    package func resolve(_ value: PropertyList?) -> PropertyList {
        guard let value else { return .null }
        guard case .uid(let index) = value else { return value }
        guard index != 0, objects.indices.contains(index) else { return .null }
        if case .uid = objects[index] { return .null }
        return objects[index]
    }

    package func reference(_ value: PropertyList?) -> Reference? {
        guard case .uid(let index)? = value, index != 0, objects.indices.contains(index) else { return nil }
        return Reference(index: index)
    }

    /// The instance that a value refers to; nil for plain values and for nil.
    package func object(_ value: PropertyList?) -> Object? { reference(value).flatMap(object) }

    package func object(_ reference: Reference) -> Object? {
        guard let fields = objects[reference.index].dictionary, let names = classNames(fields["$class"]) else {
            return nil
        }
        return Object(reference: reference, classNames: names, fields: fields)
    }

    private func classNames(_ value: PropertyList?) -> [String]? {
        guard let description = resolve(value).dictionary, let name = description["$classname"]?.string else {
            return nil
        }
        let names = description["$classes"]?.array?.compactMap(\.string) ?? []
        return names.first == name ? names : [name] + names
    }
}
