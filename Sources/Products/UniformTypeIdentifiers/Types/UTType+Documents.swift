extension UTType {
    /// PDF.
    public static let pdf = UTType(known: "com.adobe.pdf")
    /// PostScript. Not among Apple's constants.
    public static let postScript = UTType(known: "com.adobe.postscript")
    /// An electronic book.
    public static let epub = UTType(known: "org.idpf.epub-container")
    /// A scene in space.
    public static let usdz = UTType(known: "com.pixar.universal-scene-description-mobile")
    /// ZIP.
    public static let zip = UTType(known: "public.zip-archive")
    /// gzip.
    public static let gzip = UTType(known: "org.gnu.gnu-zip-archive")
    /// bzip2.
    public static let bz2 = UTType(known: "public.bzip2-archive")
    /// xz. Not among Apple's constants.
    public static let xz = UTType(known: "org.tukaani.xz-archive")
    /// tar.
    public static let tarArchive = UTType(known: "public.tar-archive")
    /// 7-Zip. Not among Apple's constants.
    public static let sevenZip = UTType(known: "org.7-zip.7-zip-archive")
    /// An archive of Apple's.
    public static let appleArchive = UTType(known: "com.apple.archive")
    /// A database of SQLite. Not among Apple's constants.
    public static let sqlite = UTType(known: "org.sqlite.sqlite")
    /// Map tiles in SQLite. Not among Apple's constants.
    public static let mbTiles = UTType(known: "com.mapbox.mbtiles")
    /// A certificate.
    public static let x509Certificate = UTType(known: "public.x509-certificate")
    /// Keys with their certificates.
    public static let pkcs12 = UTType(known: "com.rsa.pkcs-12")
    /// A module of WebAssembly. Not among Apple's constants.
    public static let webAssembly = UTType(known: "org.webassembly.wasm")
}
