/// All pages of the browser, those of one subject together.
enum PageTable {
    static let all: [any Page] =
        stores + comparing + reading + consoles + editing + models + apps + instruments + session

    /// The list of stores, and the pages about one store and its model.
    private static let stores: [any Page] = [
        StoreListPage(), StorePage(), CountsPage(), ModelPage(), ReopenPage(), RawTablesPage(), RawRowsPage(),
        StoreCheckPage(), StoreRepairPage(),
    ]

    /// Two stores, or two models, beside each other.
    private static let comparing: [any Page] = [
        ComparePage(), CompareProgressPage(), CompareCopyPage(), CompareModelsPage(), ModelChoicesPage(),
    ]

    /// Lists and objects.
    private static let reading: [any Page] = [
        ListPage(), TotalPage(), SectionsPage(), FacetsPage(), ObjectPage(), PreviewPage(), RelatedPage(), ValuePage(),
        DecodedValuePage(),
        PredicatePage(), TimelinePage(), HistorySpanPage(), TransactionPage(), HistoryPage(), HistoryBeginningPage(),
        ExportPage(),
        ImportViewPage(), ImportFilePage(), ImportProgressPage(),
        ImportPage(),
    ]

    /// Questions that a person writes.
    private static let consoles: [any Page] = [
        ConsolePage(), MapPage(), SQLPage(), SQLSchemaPage(), SQLCheckPage(),
    ]

    /// What a tab stages and saves.
    private static let editing: [any Page] = [
        EditListPage(), StagePage(), UndoPage(), RedoPage(), DiscardPage(), FoundStepsPage(), SavePage(), RevertPage(),
        DeletionPage(), ReviewPage(), CheckPage(), BulkPage(), WritingPage(),
    ]

    /// Models, which are shown and edited.
    private static let models: [any Page] = [
        ModelViewPage(), ModelItemsPage(), ModelFindingsPage(), ModelCopyPage(), ModelComparisonPage(),
        ModelPredicatePage(), ModelEntitiesPage(), ModelDiagramPage(), ModelPlacesPage(), ModelClassesPage(),
        ModelClassWritingPage(), ModelEditsPage(), ModelPastePage(), ModelUndoPage(), ModelRedoPage(), ModelSavePage(),
        ModelDiscardPage(), ModelMergePage(), ModelRenamePage(), ModelVersionsPage(), ModelPrunePage(),
    ]

    /// Applications by property lists.
    private static let apps: [any Page] = [
        AppPage(), AppListPage(), AppOrderPage(), AppFormPage(), AppFormSavingPage(), AppFormCheckPage(),
        AppReportPage(), AppDefaultsPage(), AppSettingPage(), AppIconPage(),
    ]

    /// Recordings of what programs do.
    private static let instruments: [any Page] = [
        InstrumentListPage(), InstrumentRecordPage(), InstrumentStopPage(), InstrumentPage(), InstrumentTimelinePage(),
        InstrumentEventsPage(), InstrumentComparePage(), InstrumentExportPage(),
    ]

    /// The front end's files, how a session begins, what tabs are notified of and what views remember.
    private static let session: [any Page] = [
        AssetPage(),
        SessionPage(),
        TabPage(),
        EventsPage(),
        StatePage(),
        StateChangePage(),
    ]
}
