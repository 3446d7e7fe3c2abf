/// The files of a new project that serve web browsers.
extension ProjectTexts {
    static let server = #"""
        import CoreDataBrowserServer

        /// The store in a web browser, with the program's own classes.
        struct Server {
            private let server: BrowserServer

            init(_ stack: PersistenceController) throws {
                let browser = Browser()
                browser.show(stack.container.persistentStoreCoordinator, name: "«name»")
                server = try BrowserServer(browser)
            }

            /// Prints the address and serves until the process is asked to end.
            func run() {
                server.run { link in
                    print(link)
                    fflush(nil)
                }
            }
        }

        """#

    static let application = #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        	<key>title</key>
        	<string>«name»</string>
        	<key>model</key>
        	<string>../Sources/Model/«name».xcdatamodeld</string>
        	<key>store</key>
        	<string>«name».sqlite</string>
        	<key>lists</key>
        	<array>
        		<dict>
        			<key>entity</key>
        			<string>Event</string>
        			<key>title</key>
        			<string>Master</string>
        			<key>add</key>
        			<string>saveFirst</string>
        			<key>batchSize</key>
        			<integer>20</integer>
        			<key>cacheName</key>
        			<string>Master</string>
        			<key>tabs</key>
        			<array>
        				<dict>
        					<key>title</key>
        					<string>Events</string>
        					<key>titleKey</key>
        					<string>timeStamp</string>
        					<key>sort</key>
        					<array>
        						<dict>
        							<key>key</key>
        							<string>timeStamp</string>
        							<key>ascending</key>
        							<false/>
        						</dict>
        					</array>
        				</dict>
        			</array>
        		</dict>
        	</array>
        </dict>
        </plist>

        """#
}
