/// The module's own table of types.
enum TypeRows {
    /// Columns: identifier, parents, extensions, media types, title.
    ///
    /// Identifiers are Apple's where Apple has one, else those that the format's owner uses. Media types are those that IANA lists; a
    /// second one is a usual name that is no longer, or was never, registered. Of two types with a tag the first row is preferred.
    static let text = """
        # Roots
        public.item||||item
        public.content||||content
        public.data|public.item||application/octet-stream|data
        public.directory|public.item|||directory
        public.folder|public.directory|||folder
        com.apple.package|public.directory|||package
        public.composite-content|public.content|||composite content
        public.archive||||archive
        public.disk-image|public.archive|||disk image
        public.executable|public.item|||executable
        public.database||||database
        public.message||||message
        public.contact||||contact
        public.calendar-event||||calendar event
        public.to-do-item|public.calendar-event|||to-do item
        public.presentation|public.composite-content|||presentation
        public.spreadsheet|public.content|||spreadsheet
        public.font||||font
        public.3d-content|public.content|||3D content
        public.url|public.data|||URL
        public.file-url|public.url|||file URL
        # Text
        public.text|public.data public.content|||text
        public.plain-text|public.text|txt text|text/plain|plain text
        public.utf8-plain-text|public.plain-text|||UTF-8 text
        public.utf16-plain-text|public.plain-text|||UTF-16 text
        public.delimited-values-text|public.text|||delimited text
        public.comma-separated-values-text|public.delimited-values-text|csv|text/csv|comma-separated values
        public.tab-separated-values-text|public.delimited-values-text|tsv|text/tab-separated-values|tab-separated values
        public.rtf|public.text|rtf|text/rtf application/rtf|rich text
        public.html|public.text|html htm|text/html|HTML text
        public.xml|public.text|xml|application/xml text/xml|XML text
        public.xhtml|public.xml|xhtml xht|application/xhtml+xml|XHTML text
        public.json|public.text|json|application/json|JSON text
        public.geojson|public.json|geojson|application/geo+json|GeoJSON text
        public.yaml|public.text|yaml yml|application/yaml text/yaml application/x-yaml|YAML text
        net.daringfireball.markdown|public.plain-text|md markdown|text/markdown|Markdown text
        public.css|public.text|css|text/css|style sheet
        public.log|public.plain-text|log||log
        com.topografix.gpx|public.xml|gpx|application/gpx+xml|GPS tracks
        com.google.earth.kml|public.xml|kml|application/vnd.google-earth.kml+xml|KML document
        com.google.earth.kmz|public.zip-archive|kmz|application/vnd.google-earth.kmz|KMZ archive
        com.apple.property-list|public.data|plist|application/x-plist|property list
        com.apple.xml-property-list|com.apple.property-list public.xml|||XML property list
        com.apple.binary-property-list|com.apple.property-list|||binary property list
        # Source texts
        public.source-code|public.plain-text|||source text
        public.script|public.source-code|||script
        public.shell-script|public.script|sh|application/x-sh|shell script
        public.python-script|public.script|py|text/x-python|Python script
        com.netscape.javascript-source|public.source-code|js mjs|text/javascript application/javascript|JavaScript text
        public.swift-source|public.source-code|swift|text/x-swift|Swift text
        public.c-source|public.source-code|c|text/x-csrc|C text
        public.c-header|public.source-code|h|text/x-chdr|C header
        # Messages, people and events
        public.email-message|public.message|||mail message
        com.apple.mail.email|public.data public.email-message|eml|message/rfc822|mail message
        public.vcard|public.text public.contact|vcf vcard|text/vcard text/x-vcard text/directory|electronic business card
        com.apple.ical.ics|public.text public.calendar-event|ics|text/calendar|calendar
        # Pictures
        public.image|public.data public.content|||picture
        public.jpeg|public.image|jpeg jpg jpe|image/jpeg image/jpg image/pjpeg|JPEG picture
        public.png|public.image|png|image/png image/x-png|PNG picture
        com.compuserve.gif|public.image|gif|image/gif|GIF picture
        public.tiff|public.image|tiff tif|image/tiff|TIFF picture
        com.microsoft.bmp|public.image|bmp dib|image/bmp image/x-ms-bmp|BMP picture
        com.microsoft.ico|public.image|ico|image/vnd.microsoft.icon image/x-icon|Windows icon
        public.heif|public.image|heif hif|image/heif|HEIF picture
        public.heic|public.heif|heic|image/heic|HEIC picture
        public.avif|public.heif|avif|image/avif|AVIF picture
        org.webmproject.webp|public.image|webp|image/webp|WebP picture
        public.jpeg-xl|public.image|jxl|image/jxl|JPEG XL picture
        public.jpeg-2000|public.image|jp2 j2k|image/jp2|JPEG 2000 picture
        public.svg-image|public.image public.xml|svg|image/svg+xml|SVG picture
        public.camera-raw-image|public.image|||camera's raw picture
        com.adobe.raw-image|public.camera-raw-image|dng|image/x-adobe-dng|DNG picture
        com.adobe.photoshop-image|public.image|psd|image/vnd.adobe.photoshop|Photoshop picture
        com.apple.icns|public.image|icns|image/x-icns|icon of Apple's
        # Sound
        public.audiovisual-content|public.data public.content|||sound or film
        public.audio|public.audiovisual-content|||sound
        public.mp3|public.audio|mp3|audio/mpeg audio/mp3|MP3 sound
        com.apple.m4a-audio|public.mpeg-4-audio|m4a|audio/mp4 audio/x-m4a audio/m4a|MPEG-4 sound
        public.mpeg-4-audio|public.audio|m4a|audio/mp4|MPEG-4 sound
        com.apple.protected-mpeg-4-audio|public.audio|m4p|audio/x-m4p|protected MPEG-4 sound
        public.aac-audio|public.audio|aac adts|audio/aac|AAC sound
        com.microsoft.waveform-audio|public.audio|wav wave|audio/wav audio/vnd.wave audio/x-wav audio/wave|WAVE sound
        public.aiff-audio|public.audio|aiff aif|audio/aiff audio/x-aiff|AIFF sound
        com.apple.coreaudio-format|public.audio|caf|audio/x-caf|Core Audio file
        org.xiph.flac|public.audio|flac|audio/flac audio/x-flac|FLAC sound
        org.xiph.ogg-audio|public.audio|ogg oga|audio/ogg|Ogg sound
        org.xiph.opus|org.xiph.ogg-audio|opus|audio/opus|Opus sound
        org.webmproject.webm-audio|public.audio|weba|audio/webm|WebM sound
        org.matroska.mka|public.audio|mka|audio/matroska audio/x-matroska|Matroska sound
        public.midi-audio|public.audio|mid midi|audio/midi audio/x-midi|MIDI sound
        public.amr-audio|public.audio|amr|audio/amr|AMR sound
        public.mp2|public.audio|mp2||MP2 sound
        # Film
        public.movie|public.audiovisual-content|||film
        public.video|public.movie|||film without sound
        public.mpeg-4|public.movie|mp4 mpg4|video/mp4 application/mp4|MPEG-4 film
        com.apple.m4v-video|public.mpeg-4|m4v|video/x-m4v|MPEG-4 film
        com.apple.quicktime-movie|public.movie|mov qt|video/quicktime|QuickTime film
        public.mpeg|public.movie|mpg mpeg|video/mpeg|MPEG film
        public.mpeg-2-video|public.video|m2v|video/mpeg2|MPEG-2 film
        public.mpeg-2-transport-stream|public.movie|ts m2ts|video/mp2t|MPEG-2 transport stream
        public.avi|public.movie|avi|video/vnd.avi video/avi video/x-msvideo|AVI film
        public.3gpp|public.movie|3gp 3gpp|video/3gpp|3GPP film
        org.webmproject.webm|public.movie|webm|video/webm|WebM film
        org.matroska.mkv|public.movie|mkv|video/matroska video/x-matroska|Matroska film
        org.xiph.ogg-video|public.movie|ogv|video/ogg|Ogg film
        public.playlist||||playlist
        public.m3u-playlist|public.text public.playlist|m3u m3u8|audio/mpegurl application/vnd.apple.mpegurl|playlist
        # Documents
        com.adobe.pdf|public.data public.composite-content|pdf|application/pdf|PDF document
        com.adobe.postscript|public.data|ps|application/postscript|PostScript document
        org.idpf.epub-container|public.data public.composite-content|epub|application/epub+zip|electronic book
        com.microsoft.word.doc|public.data|doc|application/msword|Word document
        com.microsoft.excel.xls|public.data public.spreadsheet|xls|application/vnd.ms-excel|Excel table
        com.microsoft.powerpoint.ppt|public.data public.presentation|ppt|application/vnd.ms-powerpoint|PowerPoint slides
        org.openxmlformats.wordprocessingml.document|public.data|docx|application/vnd.openxmlformats-officedocument.wordprocessingml.document|Word document
        org.openxmlformats.spreadsheetml.sheet|public.data public.spreadsheet|xlsx|application/vnd.openxmlformats-officedocument.spreadsheetml.sheet|Excel table
        org.openxmlformats.presentationml.presentation|public.data public.presentation|pptx|application/vnd.openxmlformats-officedocument.presentationml.presentation|PowerPoint slides
        org.oasis-open.opendocument.text|public.data|odt|application/vnd.oasis.opendocument.text|OpenDocument text
        org.oasis-open.opendocument.spreadsheet|public.data public.spreadsheet|ods|application/vnd.oasis.opendocument.spreadsheet|OpenDocument table
        org.oasis-open.opendocument.presentation|public.data public.presentation|odp|application/vnd.oasis.opendocument.presentation|OpenDocument slides
        com.pixar.universal-scene-description-mobile|public.3d-content public.data|usdz|model/vnd.usdz+zip|USDZ scene
        # Archives
        public.zip-archive|public.data public.archive|zip|application/zip application/x-zip-compressed|ZIP archive
        org.gnu.gnu-zip-archive|public.data public.archive|gz gzip|application/gzip application/x-gzip|gzip archive
        public.bzip2-archive|public.data public.archive|bz2|application/x-bzip2|bzip2 archive
        org.tukaani.xz-archive|public.data public.archive|xz|application/x-xz|xz archive
        public.tar-archive|public.data public.archive|tar|application/x-tar|tar archive
        org.7-zip.7-zip-archive|public.data public.archive|7z|application/x-7z-compressed|7-Zip archive
        com.apple.archive|public.data public.archive|aar|application/x-apple-archive|archive of Apple's
        # Fonts, databases, keys
        public.truetype-ttf-font|public.data public.font|ttf|font/ttf|TrueType font
        public.opentype-font|public.data public.font|otf|font/otf|OpenType font
        org.w3.woff|public.data public.font|woff|font/woff|WOFF font
        org.w3.woff2|public.data public.font|woff2|font/woff2|WOFF2 font
        org.sqlite.sqlite|public.data public.database|sqlite sqlite3 db|application/vnd.sqlite3 application/x-sqlite3|SQLite database
        com.mapbox.mbtiles|org.sqlite.sqlite|mbtiles||map tiles
        public.x509-certificate|public.data|cer crt der|application/pkix-cert application/x-x509-ca-cert|certificate
        com.rsa.pkcs-12|public.data|p12 pfx|application/x-pkcs12|keys with certificates
        org.webassembly.wasm|public.data public.executable|wasm|application/wasm|WebAssembly module
        """
}
