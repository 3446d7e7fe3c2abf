import CoreDataFoundation
import LockKit

/// The contents of a file, or of a folder with all that is in it, as a value in memory: what documents that are
/// packages are made of.
///
/// As Apple's class of this name, which open-source Foundation lacks; without symbolic links, which are left out when a
/// folder is read.
open class FileWrapper: @unchecked Sendable {
    private struct State {
        var contents: Data?
        var children: [String: FileWrapper] = [:]
        var preferredFilename: String?
        var filename: String?
    }
    private let state: Locked<State>
    /// Whether it is a folder.
    public let isDirectory: Bool
    /// Whether it is a file.
    public var isRegularFile: Bool { !isDirectory }

    /// A file with these bytes.
    public init(regularFileWithContents contents: Data) {
        isDirectory = false
        state = Locked(State(contents: contents))
    }

    /// A folder with these items, by their names.
    public init(directoryWithFileWrappers childrenByPreferredName: [String: FileWrapper]) {
        isDirectory = true
        state = Locked(State(children: childrenByPreferredName))
        for (name, child) in childrenByPreferredName { child.nameIfUnnamed(name) }
    }

    /// Reads a file or a folder.
    ///
    /// - Throws: `CocoaError` if it cannot be read, or a folder has more than 100,000 items or is more than 64 deep.
    public convenience init(url: URL) throws {
        var left = 100_000
        try self.init(reading: url, depth: 0, left: &left)
    }

    private init(reading url: URL, depth: Int, left: inout Int) throws {
        left -= 1
        guard left >= 0, depth <= 64 else {
            throw CocoaError(.fileReadTooLarge, userInfo: [NSFilePathErrorKey: url.path])
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        isDirectory = isFolder.boolValue
        guard isFolder.boolValue else {
            state = Locked(State(contents: try Data(contentsOf: url), filename: url.lastPathComponent))
            return
        }
        var children: [String: FileWrapper] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() {
            let child = url.appendingPathComponent(name)
            let type = try FileManager.default.attributesOfItem(atPath: child.path)[.type] as? FileAttributeType
            guard type == .typeRegular || type == .typeDirectory else { continue }
            children[name] = try FileWrapper(reading: child, depth: depth + 1, left: &left)
        }
        state = Locked(State(children: children, filename: url.lastPathComponent))
    }

    // MARK: What it has

    /// The bytes of a file; nil for a folder.
    public var regularFileContents: Data? { state.withLock { $0.contents } }
    /// The items of a folder by their names; nil for a file.
    public var fileWrappers: [String: FileWrapper]? { isDirectory ? state.withLock { $0.children } : nil }
    /// The name to write it under, where a folder has no other item of that name.
    public var preferredFilename: String? {
        get { state.withLock { $0.preferredFilename ?? $0.filename } }
        set { state.withLock { $0.preferredFilename = newValue } }
    }
    /// The name that it was read or added under.
    public var filename: String? {
        get { state.withLock { $0.filename } }
        set { state.withLock { $0.filename = newValue } }
    }

    private func nameIfUnnamed(_ name: String) {
        state.withLock { state in
            state.preferredFilename = state.preferredFilename ?? name
            state.filename = name
        }
    }

    // MARK: Folders

    /// Adds an item under its preferred name, or that name with a number if there is another one.
    ///
    /// - Returns: The name; empty if this is a file or the item has no name.
    @discardableResult
    public func addFileWrapper(_ child: FileWrapper) -> String {
        guard isDirectory, let wanted = child.preferredFilename, !wanted.isEmpty else { return "" }
        let name = state.withLock { state in
            var (name, number) = (wanted, 2)
            while state.children[name] != nil, state.children[name] !== child {
                name = "\(number)__#$!@%!#__\(wanted)"
                number += 1
            }
            state.children[name] = child
            return name
        }
        child.filename = name
        return name
    }

    /// Adds a file, as ``addFileWrapper(_:)`` does.
    @discardableResult
    public func addRegularFile(withContents data: Data, preferredFilename fileName: String) -> String {
        let child = FileWrapper(regularFileWithContents: data)
        child.preferredFilename = fileName
        return addFileWrapper(child)
    }

    /// Removes an item.
    public func removeFileWrapper(_ child: FileWrapper) {
        state.withLock { state in
            for (name, other) in state.children where other === child { state.children[name] = nil }
        }
    }

    // MARK: Writing

    /// Writes it to a place where nothing is, and waits until the disk has it.
    ///
    /// - Throws: `CocoaError` if something is there, a name has a slash, or it cannot be written.
    public func write(to url: URL) throws {
        guard isDirectory else { return try SafeFile.writeNew(regularFileContents ?? Data(), to: url) }
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        for (name, child) in fileWrappers ?? [:] {
            guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.contains("\0") else {
                throw CocoaError(.fileWriteInvalidFileName, userInfo: [NSFilePathErrorKey: name])
            }
            try child.write(to: url.appendingPathComponent(name))
        }
        try SafeFile.synchronizeFolder(url)
    }
}
