import CoreData

extension BrowserCore {
    /// Opens an application and shows it and its store.
    ///
    /// - Throws: `InspectionError` as `AppSource` and `AppOpening` do.
    func openApp(_ folder: URL, classes: [NSManagedObject.Type], storeFolder: URL?) throws -> BrowsedApp {
        let problems = ListProblemCollector()
        let source = try AppSource(folder, problems)
        let opening = try AppOpening(source, classes: classes, problems)
        let content = AppContent(source, model: opening.model, kinds: apps.kinds, problems: problems)
        let (coordinator, store) = try opening.open(in: storeFolder)
        let file = (store.url?.path).flatMap { FileIdentity($0) }
        let shown = show(StoreFileIdentity(store).address(source.title)) {
            BrowsedStore(id: $0, name: source.title, coordinator: coordinator, store: store, identity: file)
        }
        return apps.show(AddressName.make(folder.lastPathComponent, of: folder.resolvingSymlinksInPath().path)) { id in
            BrowsedApp(
                id: id, source: source, content: content, store: shown,
                defaults: AppDefaults(title: source.title, in: options.stateFolder), problems: problems.all)
        }
    }
}
