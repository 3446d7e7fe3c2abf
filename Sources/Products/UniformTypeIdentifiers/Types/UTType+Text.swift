extension UTType {
    /// Text of any kind, marked up or not.
    public static let text = UTType(known: "public.text")
    /// Text without mark-up, in any encoding.
    public static let plainText = UTType(known: "public.plain-text")
    /// Text without mark-up in UTF-8.
    public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
    /// Text without mark-up in UTF-16.
    public static let utf16PlainText = UTType(known: "public.utf16-plain-text")
    /// Rows of values with a character between them.
    public static let delimitedText = UTType(known: "public.delimited-values-text")
    /// CSV.
    public static let commaSeparatedText = UTType(known: "public.comma-separated-values-text")
    /// Rows of values with tabs between them.
    public static let tabSeparatedText = UTType(known: "public.tab-separated-values-text")
    /// Rich text.
    public static let rtf = UTType(known: "public.rtf")
    /// HTML.
    public static let html = UTType(known: "public.html")
    /// XML of any kind.
    public static let xml = UTType(known: "public.xml")
    /// HTML that is XML. Not among Apple's constants.
    public static let xhtml = UTType(known: "public.xhtml")
    /// JSON.
    public static let json = UTType(known: "public.json")
    /// Places in JSON.
    public static let geoJSON = UTType(known: "public.geojson")
    /// YAML.
    public static let yaml = UTType(known: "public.yaml")
    /// Markdown. Not among Apple's constants.
    public static let markdown = UTType(known: "net.daringfireball.markdown")
    /// A style sheet.
    public static let css = UTType(known: "public.css")
    /// A program's log.
    public static let log = UTType(known: "public.log")
    /// Tracks of GPS receivers. Not among Apple's constants.
    public static let gpx = UTType(known: "com.topografix.gpx")
    /// Places in XML. Not among Apple's constants.
    public static let kml = UTType(known: "com.google.earth.kml")
    /// A property list in any form.
    public static let propertyList = UTType(known: "com.apple.property-list")
    /// A property list in XML.
    public static let xmlPropertyList = UTType(known: "com.apple.xml-property-list")
    /// A property list in bytes.
    public static let binaryPropertyList = UTType(known: "com.apple.binary-property-list")
    /// Text of a program.
    public static let sourceCode = UTType(known: "public.source-code")
    /// Text of a program that is run as it is.
    public static let script = UTType(known: "public.script")
    /// A script of a shell.
    public static let shellScript = UTType(known: "public.shell-script")
    /// A script in Python.
    public static let pythonScript = UTType(known: "public.python-script")
    /// JavaScript.
    public static let javaScript = UTType(known: "com.netscape.javascript-source")
    /// Swift.
    public static let swiftSource = UTType(known: "public.swift-source")
    /// C.
    public static let cSource = UTType(known: "public.c-source")
    /// A header of C.
    public static let cHeader = UTType(known: "public.c-header")
    /// A mail message, in a file or not.
    public static let emailMessage = UTType(known: "public.email-message")
    /// A file with a mail message. Not among Apple's constants.
    public static let eml = UTType(known: "com.apple.mail.email")
    /// A person's card.
    public static let vCard = UTType(known: "public.vcard")
    /// A file of iCalendar. Not among Apple's constants.
    public static let calendar = UTType(known: "com.apple.ical.ics")
}
