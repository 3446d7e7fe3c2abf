extension UTType {
    /// Anything: files, folders and what is neither.
    public static let item = UTType(known: "public.item")
    /// Anything with content: documents, pasteboards.
    public static let content = UTType(known: "public.content")
    /// A stream of bytes.
    public static let data = UTType(known: "public.data")
    /// A folder, or a package that looks like a file.
    public static let directory = UTType(known: "public.directory")
    /// A folder that people see as one.
    public static let folder = UTType(known: "public.folder")
    /// A folder that looks like a file.
    public static let package = UTType(known: "com.apple.package")
    /// Content of several parts, such as a PDF document.
    public static let compositeContent = UTType(known: "public.composite-content")
    /// Files in a file.
    public static let archive = UTType(known: "public.archive")
    /// A disk in a file.
    public static let diskImage = UTType(known: "public.disk-image")
    /// What can be run.
    public static let executable = UTType(known: "public.executable")
    /// A database.
    public static let database = UTType(known: "public.database")
    /// A message: mail, or a text.
    public static let message = UTType(known: "public.message")
    /// A person to reach.
    public static let contact = UTType(known: "public.contact")
    /// An event in a calendar.
    public static let calendarEvent = UTType(known: "public.calendar-event")
    /// A task in a calendar.
    public static let toDoItem = UTType(known: "public.to-do-item")
    /// Slides.
    public static let presentation = UTType(known: "public.presentation")
    /// A table that computes.
    public static let spreadsheet = UTType(known: "public.spreadsheet")
    /// A font.
    public static let font = UTType(known: "public.font")
    /// A body in space.
    public static let threeDContent = UTType(known: "public.3d-content")
    /// An address of the web.
    public static let url = UTType(known: "public.url")
    /// An address of a file.
    public static let fileURL = UTType(known: "public.file-url")
}
