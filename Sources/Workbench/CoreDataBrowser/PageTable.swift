/// All pages of the browser, grouped by subject.
enum PageTable {
    static let all: [any Page] =
        stores + jobs + comparing + reading + consoles + editing + models + apps + instruments + session

    /// The list of stores, and the pages about one store and its model.
    private static let stores: [any Page] = [
        StoreListPage(), StorePage(), CountsPage(), ModelPage(), ReopenPage(), RawTablesPage(), RawRowsPage(),
        StoreCheckPage(), StoreRepairPage(),
    ]

    /// Long work.
    private static let jobs: [any Page] = [
        JobListPage(), JobPage(), JobFilePage(), JobActionPage(), CheckJobPage(), ExportJobPage(), CompareJobPage(),
    ]

    /// Comparisons of two stores or two models.
    private static let comparing: [any Page] = [
        ComparePage(), CompareProgressPage(), CompareCopyPage(), CompareModelsPage(), ModelChoicesPage(),
    ]

    /// Lists and objects.
    private static let reading: [any Page] = [
        ListPage(), TotalPage(), SectionsPage(), FacetsPage(), ObjectPage(), PreviewPage(), RelatedPage(), ValuePage(),
        DecodedValuePage(), ThumbnailPage(), PicturePage(), KindsPage(), KindValuePage(), CodeWritingPage(),
        CodeReadingPage(), ValueAddressPage(), PlayingPage(), MediaInformationPage(), PosterPage(), PlayablePage(),
        RecordingPage(), SpeechPage(), SpeakingPage(), MediaFilePage(),
        SharePage(), ShareFilePage(),
        PredicatePage(), TimelinePage(), HistorySpanPage(), TransactionPage(), HistoryPage(), HistoryBeginningPage(),
        ExportPage(),
        ImportViewPage(), ImportFilePage(), ImportProgressPage(), ImportDownloadPage(), ImportMappingPage(),
        ImportPage(), ImportReversalPage(), SubscriptionListPage(), SubscribePage(), SubscriptionRefreshPage(),
        UnsubscribePage(), SyncPage(), SyncExchangePage(), SyncForgetPage(),
        SyncConflictPage(), SyncRestorePage(), NearbyDevicesPage(), NearbyRunningPage(), NearbyJoinPage(),
        NearbyConnectPage(), NearbyAnswerPage(),
    ]

    /// Queries that the user writes.
    private static let consoles: [any Page] = [
        ConsolePage(), MapPage(), TileListPage(), TilePage(), SQLPage(), SQLSchemaPage(), SQLCheckPage(),
    ]

    /// Staging, reviewing and saving edits.
    private static let editing: [any Page] = [
        EditListPage(), StagePage(), UndoPage(), RedoPage(), DiscardPage(), FoundStepsPage(), SavePage(), RevertPage(),
        DeletionPage(), ReviewPage(), CheckPage(), BulkPage(), WritingPage(),
    ]

    /// Showing and editing models.
    private static let models: [any Page] = [
        ModelViewPage(), ModelItemsPage(), ModelFindingsPage(), ModelCopyPage(), ModelComparisonPage(),
        ModelPredicatePage(), ModelEntitiesPage(), ModelDiagramPage(), ModelPlacesPage(), ModelClassesPage(),
        ModelClassWritingPage(), ModelEditsPage(), ModelPastePage(), ModelUndoPage(), ModelRedoPage(), ModelSavePage(),
        ModelDiscardPage(), ModelMergePage(), ModelRenamePage(), ModelVersionsPage(), ModelPrunePage(),
    ]

    /// Applications that property lists describe.
    private static let apps: [any Page] = [
        AppPage(), AppListPage(), AppOrderPage(), AppFormPage(), AppFormSavingPage(), AppFormCheckPage(),
        AppReportPage(), AppDefaultsPage(), AppSettingPage(), AppIconPage(),
    ]

    /// Recordings of Core Data events in programs.
    private static let instruments: [any Page] = [
        InstrumentListPage(), InstrumentRecordPage(), InstrumentStopPage(), InstrumentPage(), InstrumentTimelinePage(),
        InstrumentEventsPage(), InstrumentComparePage(), InstrumentExportPage(),
    ]

    /// The front end's files, the start of a session, the events of stores, and the stored state of views.
    private static let session: [any Page] = [
        AssetPage(), LanguagePage(),
        SessionPage(),
        TabPage(),
        EventsPage(),
        StatePage(),
        StateChangePage(),
    ]
}
