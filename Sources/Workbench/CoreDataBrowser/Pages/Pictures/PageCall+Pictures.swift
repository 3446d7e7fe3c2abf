import CoreData
import CoreDataPictures

extension PageCall {
    /// The data of the attribute that the path names, with what the tab has staged.
    ///
    /// - Throws: `BrowserFailure` 404 for nil, 422 for an attribute of another type, and as reading does.
    func pictureData() async throws -> Data {
        let (name, key) = (objectName, parameters["name"] ?? "")
        return try await readObjects { reading in
            guard let data = try ValueBytes.stored(reading, name: name, key: key) else {
                throw BrowserFailure(422, code: "notBytes", reason: "'\(key)' is not an attribute of data")
            }
            return data
        }
    }

    /// The place of the value at the store's version; nil where what is read is not what is stored, or not for everyone.
    func picturePlace() throws -> PictureShelf.Place? {
        let store = try store
        guard browser.sessions.known(editingTab, in: store)?.isStaging != true else { return nil }
        let opened = store.opened.shown(to: access)
        guard opened.hidden == nil else { return nil }
        return PictureShelf.Place(
            store: store.id, version: opened.version, object: objectName, key: parameters["name"] ?? "")
    }
}

extension BrowserFailure {
    /// Why a picture cannot be shown: 501 for a program that is not installed, 503 for what may pass, 422 for the picture itself.
    init(_ error: PictureFileError) {
        let status =
            switch error.code {
            case .missingProgram: 501
            case .unreadable: 503
            default: 422
            }
        self.init(status, code: "picture", reason: error.reason, hint: error.hint)
    }
}
