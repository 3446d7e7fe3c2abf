import CoreDataSQL

/// Writes the large values of one transaction to files, each with a new name.
final class ExternalDataWriter: LargeValueWriting {
    private let store: URL
    private var names: [String] = []
    /// Called with the name of each file.
    private let noting: (String) -> Void

    init(store: URL, noting: @escaping (String) -> Void = { _ in }) {
        self.store = store
        self.noting = noting
    }

    var count: Int { names.count }

    func storedForm(of data: Data) throws -> Data {
        guard data.count > ExternalData.threshold, MemoryPlace(store) == nil else { return Data([1]) + data }
        let name = UUID().uuidString
        do {
            try ExternalFolder(store: store, makesFolders: true).write(data, name: name)
        } catch let error as ExternalDataError {
            throw error.cocoaError(writingBeside: store)
        }
        names.append(name)
        noting(name)
        return Data([2]) + Data(name.utf8) + Data([0])
    }

    func discard(after count: Int) {
        guard names.count > count else { return }
        let superfluous = names[count...]
        names.removeLast(superfluous.count)
        guard let folder = try? ExternalFolder(store: store, makesFolders: false) else { return }
        superfluous.forEach(folder.remove)
    }
}
