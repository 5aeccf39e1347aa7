import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What a Java program asks of a season file, a line for each: a moment, a result and games by
 * prepared statements, keys, the columns of the public views, and a row of each of these.
 *
 * java -cp sqlite-jdbc.jar Prepared.java FILE MOMENT
 * MOMENT: milliseconds since 1970, as java.sql.Timestamp has them.
 */
public class Prepared {
    static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    public static void main(String[] args) throws SQLException {
        Timestamp moment = new Timestamp(Long.parseLong(args[1]));
        try (Connection file = DriverManager.getConnection("jdbc:sqlite:" + args[0])) {
            edit(file, "timestamp", "UPDATE round SET last_updated = ? WHERE id = ?", moment, 3);
            edit(file, "no moment", "UPDATE round SET last_updated = ? WHERE id = ?", null, 2);
            edit(file, "result", "UPDATE round SET result = ? WHERE round_number = ? AND board = ?",
                "0:1", 1, 1);
            one(file, "moment of a result",
                "SELECT strftime('%s', last_updated) * 1000 FROM round WHERE id = 1");
            String game = "INSERT INTO round (tournament_id, round_number, white, black, result,"
                + " last_updated) VALUES (?, ?, ?, ?, ?, ?)";
            edit(file, "game", game, 1, 3, 1, 3, "1/2", null);
            edit(file, "game with its moment", game, 1, 3, 2, 4, "1-0", moment);
            edit(file, "open game", game, 1, 3, 5, 6, null, null);
            edit(file, "impossible", game, 1, 3, 1, 7, null, null);
            DatabaseMetaData about = file.getMetaData();
            for (String table : List.of("round", "x_player_tournament")) {
                keys(about, table);
            }
            for (String view : views(about)) {
                columns(about, view);
                row(file, view);
            }
        }
    }

    static void edit(Connection file, String what, String sql, Object... values) {
        try (PreparedStatement edit = file.prepareStatement(sql)) {
            for (int at = 0; at < values.length; at++) {
                if (values[at] instanceof Timestamp) {
                    edit.setTimestamp(at + 1, (Timestamp) values[at]);
                } else {
                    edit.setObject(at + 1, values[at]);
                }
            }
            OUT.println(what + ": " + edit.executeUpdate() + " row");
        } catch (SQLException refused) {
            OUT.println(what + ": refused: " + refused.getMessage());
        }
    }

    static void one(Connection file, String what, String sql) {
        try (Statement query = file.createStatement(); ResultSet row = query.executeQuery(sql)) {
            Timestamp found = row.next() ? row.getTimestamp(1) : null;
            OUT.println(what + ": " + (found == null ? null : found.getTime()));
        } catch (SQLException failed) {
            OUT.println(what + ": failed: " + failed.getMessage());
        }
    }

    static void keys(DatabaseMetaData about, String table) throws SQLException {
        try (ResultSet row = about.getPrimaryKeys(null, null, table)) {
            while (row.next()) {
                OUT.println("primary key: " + table + " " + row.getString("COLUMN_NAME"));
            }
        }
        try (ResultSet row = about.getImportedKeys(null, null, table)) {
            while (row.next()) {
                OUT.println("imported key: " + table + " " + row.getString("FKCOLUMN_NAME") + " "
                    + row.getString("PKTABLE_NAME") + " " + row.getString("PKCOLUMN_NAME"));
            }
        }
    }

    /** Public are those whose name begins neither with _ nor with z_. */
    static TreeSet<String> views(DatabaseMetaData about) throws SQLException {
        TreeSet<String> found = new TreeSet<>();
        try (ResultSet row = about.getTables(null, null, "%", new String[] {"VIEW"})) {
            while (row.next()) {
                String name = row.getString("TABLE_NAME");
                if (!name.startsWith("_") && !name.startsWith("z_")) {
                    found.add(name);
                }
            }
        }
        return found;
    }

    static void columns(DatabaseMetaData about, String view) throws SQLException {
        try (ResultSet row = about.getColumns(null, null, view, "%")) {
            while (row.next()) {
                OUT.println("column: " + row.getString("TABLE_NAME") + " "
                    + row.getString("COLUMN_NAME") + " " + row.getString("TYPE_NAME"));
            }
        }
    }

    /** Each cell as the program gets it that knows nothing of the view. */
    static void row(Connection file, String view) {
        String sql = "SELECT * FROM \"" + view + "\" LIMIT 1";
        try (PreparedStatement query = file.prepareStatement(sql);
             ResultSet row = query.executeQuery()) {
            List<String> cells = new ArrayList<>();
            int columns = row.getMetaData().getColumnCount();
            while (row.next()) {
                for (int at = 1; at <= columns; at++) {
                    cells.add(String.valueOf(row.getObject(at)));
                }
            }
            OUT.println("row: " + view + " " + columns + " " + (cells.size() / columns));
        } catch (SQLException failed) {
            OUT.println("row: " + view + " failed: " + failed.getMessage());
        }
    }
}
